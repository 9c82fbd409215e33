import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { ImagePicker, type ProjectImage } from '@/blocks/projects/image-picker';
import { usePatchProject } from './use-patch-project';
import styles from './settings.module.css';

/** C-043 */
const MAX_LABEL = 30;

function imageOfProject({ imageId, image }: Project): ProjectImage {
  if (imageId !== undefined) return { imageId };
  return image === '' ? {} : { imageUrl: image };
}

const sameImage = (a: ProjectImage, b: ProjectImage) => a.imageId === b.imageId && a.imageUrl === b.imageUrl;

/** S-041: label, description, image, creation date. */
export function GeneralCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation(['settings', 'project']);
  const format = useFormat();
  const [label, setLabel] = useState(info.label);
  const [description, setDescription] = useState(info.description ?? '');
  const [image, setImage] = useState(imageOfProject(info));
  const [imageComplete, setImageComplete] = useState(true);
  const [tried, setTried] = useState(false);
  const save = usePatchProject(info.name);
  const personName = usePersonName();
  const missing = label.trim() === '';
  const patch = {
    ...(label.trim() !== info.label && { label: label.trim() }),
    ...(description.trim() !== (info.description ?? '') && { description: description.trim() }),
    ...(!sameImage(image, imageOfProject(info)) && image),
  };
  const changed = Object.keys(patch).length > 0;
  return (
    <form
      className={styles['card']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!missing && changed && imageComplete) save.mutate(patch);
      }}
    >
      <h2>{t('general')}</h2>
      <TextInput
        required
        label={t('field.label')}
        value={label}
        maxLength={MAX_LABEL}
        onChange={setLabel}
        disabled={!writable}
        error={missing ? t('labelMissing') : undefined}
      />
      <TextInput label={t('field.description')} rows={3} value={description} onChange={setDescription} disabled={!writable} />
      <ImagePicker value={image} onChange={setImage} disabled={!writable} onComplete={setImageComplete} tried={tried} />
      {info.createdDate !== undefined && (
        <p title={format.moment(info.createdDate)}>
          {t('project:settings.created', {
            date: format.whenWithin(Date.parse(info.createdDate)),
            name: info.createdBy === undefined ? '–' : personName(info.createdBy),
          })}
        </p>
      )}
      {writable && (
        <div>
          <Button kind="solid" type="submit" busy={save.isPending} disabled={!changed || missing}>
            {t('save')}
          </Button>
        </div>
      )}
    </form>
  );
}
