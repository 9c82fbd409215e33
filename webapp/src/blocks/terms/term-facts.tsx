/** What a term itself says: its forms in each language, and its further properties. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Term } from '@/api/resources/concepts';
import { useFormat } from '@/ui/format';
import { firstForms, formsByLanguage, furtherProperties, type FormsOfLanguage, type TermForm } from './term-properties';
import styles from './terms.module.css';

/** The name of a language, as `French`; the code where the browser has no name for it. */
function languageName(code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function TermForms({ term, language }: { readonly term: Term; readonly language: string }): ReactNode {
  const { t } = useTranslation('terms');
  const groups = formsByLanguage(term, language);
  if (groups.length === 0) return null;
  return (
    <section>
      <h4>{t('forms')}</h4>
      <dl aria-label={t('forms')}>
        {groups.map((group) => (
          <LanguageForms key={group.language} group={group} />
        ))}
      </dl>
    </section>
  );
}

function LanguageForms({ group }: { readonly group: FormsOfLanguage }): ReactNode {
  const { t } = useTranslation('terms');
  const format = useFormat();
  const { shown, more } = firstForms(group);
  return (
    <>
      <dt>{group.language === '' ? t('anyLanguage') : languageName(group.language, format.language)}</dt>
      <dd>
        <ul className={styles['forms']}>
          {shown.map((one) => (
            <FormItem key={one.form} form={one} language={group.language} />
          ))}
          {more > 0 && <li className={styles['more']}>{t('moreForms', { count: more, number: format.number(more) })}</li>}
        </ul>
      </dd>
    </>
  );
}

function FormItem({ form: { form, type }, language }: { readonly form: TermForm; readonly language: string }): ReactNode {
  const { t } = useTranslation('terms');
  const plain = type === 'alternative' || type === 'exact';
  return (
    <li dir="auto" lang={language === '' ? undefined : language} data-type={type}>
      {form}
      {!plain && <small> {t(`formType.${type}`)}</small>}
    </li>
  );
}

const MOST_TEXTS = 20;

export function TermProperties({ term }: { readonly term: Term }): ReactNode {
  const { t, i18n } = useTranslation('terms');
  const properties = furtherProperties(term);
  if (properties.length === 0) return null;
  return (
    <section>
      <h4>{t('properties')}</h4>
      <dl aria-label={t('properties')}>
        {properties.map(([name, texts]) => (
          <div key={name} className={styles['property']}>
            <dt>{i18n.exists(`terms:property.${name}`) ? t(`property.${name}`) : name}</dt>
            <dd dir="auto">
              {texts.slice(0, MOST_TEXTS).join(', ')}
              {texts.length > MOST_TEXTS && '…'}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
