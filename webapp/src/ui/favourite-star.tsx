import { Star } from 'lucide-react';
import { IconButton } from './icon-button';
import styles from './favourite-star.module.css';

interface FavouriteStarProps {
  readonly on: boolean;
  readonly label: string;
  readonly disabled: boolean;
  readonly onToggle: () => void;
}

/** Marks a row of a table as a favourite; a click opens no row. */
export function FavouriteStar({ on, label, disabled, onToggle }: FavouriteStarProps) {
  return (
    <span onClick={(event) => event.stopPropagation()} className={styles['star']} data-on={on || undefined}>
      <IconButton small icon={Star} disabled={disabled} aria-pressed={on} label={label} onClick={onToggle} />
    </span>
  );
}
