import MuiTooltip from '@mui/material/Tooltip';
import type { ReactElement, ReactNode } from 'react';
import { KeyCap } from './badge';

/**
 * C-007: the three open delays, milliseconds. `slow`: the complete version of a truncated text; `slowest`: details about visible content.
 */
export const TOOLTIP_DELAYS = { normal: 200, slow: 500, slowest: 600 } as const;

export interface TooltipProps {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly keyCap?: string;
  readonly delay?: keyof typeof TOOLTIP_DELAYS;
  readonly children: ReactElement;
}

/** Never the only source of information: its text is also in a name or elsewhere on the page. */
export function Tooltip({ title, detail, keyCap, delay = 'normal', children }: TooltipProps) {
  const content = (
    <>
      {title}
      {keyCap !== undefined && <KeyCap inButton>{keyCap}</KeyCap>}
      {detail !== undefined && detail !== null && <div>{detail}</div>}
    </>
  );
  const wait = TOOLTIP_DELAYS[delay];
  return (
    <MuiTooltip title={title === '' ? '' : content} enterDelay={wait} enterNextDelay={wait} disableInteractive describeChild={false}>
      {children}
    </MuiTooltip>
  );
}
