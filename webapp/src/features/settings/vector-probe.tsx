import { useTranslation } from 'react-i18next';
import type { VectorProbe } from '@/api/resources/vectorizers';
import { useFormat } from '@/ui/format';
import styles from './settings.module.css';

const KINDS = ['titles', 'sentences'] as const;
const FIGURES = ['text', 'vectors', 'hybrid'] as const;

/** The measured quality of the vectors, and its effect on hybrid searches, as text. */
export function VectorProbeFacts({ probe }: { readonly probe: VectorProbe }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const measured = KINDS.flatMap((kind) => {
    const figures = probe[kind];
    return figures == null ? [] : [{ kind, figures }];
  });
  const share = new Intl.NumberFormat(format.language, { style: 'percent' }).format(probe.weight);
  const weight = probe.weight >= 1 ? 'equal' : probe.weight > 0 ? 'part' : 'weak';
  return (
    <section className={styles['probe']} aria-label={t('vectors.probe.title')}>
      <h3>{t('vectors.probe.title')}</h3>
      <p>{measured.length === 0 ? t('vectors.probe.tooFew') : t('vectors.probe.how')}</p>
      {measured.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('vectors.probe.hidden')}</th>
              {FIGURES.map((name) => (
                <th key={name} scope="col">
                  {t(`vectors.probe.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {measured.map(({ kind, figures }) => (
              <tr key={kind}>
                <th scope="row">{t(`vectors.probe.${kind}`, { number: format.number(figures.questions) })}</th>
                {FIGURES.map((name) => (
                  <td key={name}>{format.number(figures[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        <strong>{t(`vectors.probe.${weight}`, { share })}</strong>
      </p>
    </section>
  );
}
