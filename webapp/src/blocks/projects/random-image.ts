/** Draws an image for a project without one. No other site is contacted, so B-007 holds without exception. */
import { LABEL_PALETTE } from '@/theme/palette';

/** C-038 */
export const IMAGE_WIDTH = 640;
export const IMAGE_HEIGHT = 480;

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
}

/** The circles to draw; `random` returns numbers from 0 to 1. */
export function randomCircles(random: () => number, count = 14): Circle[] {
  return Array.from({ length: count }, () => ({
    x: random() * IMAGE_WIDTH,
    y: random() * IMAGE_HEIGHT,
    radius: 30 + random() * 150,
    colour: LABEL_PALETTE[Math.floor(random() * LABEL_PALETTE.length)] ?? LABEL_PALETTE[0] ?? '',
  }));
}

/** A PNG file; null where the browser cannot draw. */
export async function drawRandomImage(random: () => number = Math.random): Promise<File | null> {
  const canvas = document.createElement('canvas');
  canvas.width = IMAGE_WIDTH;
  canvas.height = IMAGE_HEIGHT;
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.fillStyle = LABEL_PALETTE[Math.floor(random() * LABEL_PALETTE.length)] ?? '';
  pen.fillRect(0, 0, IMAGE_WIDTH, IMAGE_HEIGHT);
  for (const { x, y, radius, colour } of randomCircles(random)) {
    pen.globalAlpha = 0.7;
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? null : new File([blob], 'drawn.png', { type: 'image/png' });
}
