import { useTranslation } from 'react-i18next';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { useFormat } from '@/ui/format';
import { Pager } from '@/ui/pager';
import { pageSize, unansweredProposals } from './review-model';
import type { ReviewState } from './use-review';
import styles from './suggestions.module.css';

/** The following suggestions of the page; choosing one focuses it. */
export function NextSuggestions({ review }: { readonly review: ReviewState }) {
  const { t } = useTranslation('suggestions');
  const appearance = useAppearance();
  const format = useFormat();
  const { open, current, address, total, nature, changeAddress } = review;
  const size = pageSize(nature);
  const others = open.filter((suggestion) => suggestion !== current);
  return (
    <section className={styles['next']} aria-label={t('upNext')}>
      {others.length > 0 && (
        <>
          <h2>
            {t('upNext')} <small>{t(`sortHelp.${address.sort}`)}</small>
          </h2>
          <ul>
            {others.map((suggestion) => (
              <li key={suggestion._id}>
                <button type="button" onClick={() => review.focusSuggestion(suggestion._id)}>
                  <span>{suggestion.text}</span>
                  <span className={styles['next-tags']}>
                    {[...new Set(unansweredProposals(suggestion).map((item) => item.labelName))].slice(0, 4).map((name) => (
                      <LabelTag key={name} label={appearanceOf(appearance, name)} />
                    ))}
                  </span>
                  <span className={styles['next-score']}>{format.score(suggestion.confidence)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {(total > size || address.index > 0) && (
        <Pager
          from={address.index}
          size={size}
          total={Math.max(total, address.index)}
          onChange={(index) => changeAddress({ index, sugId: '' })}
        />
      )}
    </section>
  );
}
