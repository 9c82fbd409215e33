/** Texts of the annotation components, in English and French; the document screens choose by interface language. */
import { createContext, use } from 'react';
import type { SpanStatus, TextRange } from './model';

/** Who imported an annotation, in a file or an archive; both fields are absent for what was created here. */
export interface ImportedBy {
  readonly importedBy?: string | null | undefined;
  readonly importedDate?: string | null | undefined;
}

/** The display name of a user, by username. */
export type FormatPersonName = (username: string, brought?: ImportedBy) => string;

export interface AnnotationStrings {
  readonly document: string;
  /** `modifier`: Ctrl, or Cmd on a Mac. */
  readonly help: (modifier: string) => string;
  readonly status: Readonly<Record<SpanStatus, string>>;
  readonly inside: string;
  readonly continued: string;
  readonly tagSaving: string;
  readonly tagNotSaved: string;
  readonly selected: (text: string) => string;
  readonly selectionCleared: string;
  /** `characters`: code points of the document. */
  readonly created: (label: string, text: string, characters: TextRange) => string;
  readonly relabelled: (label: string, text: string) => string;
  readonly accepted: (label: string, text: string) => string;
  readonly rejected: (label: string, text: string) => string;
  readonly movingEdge: (edge: 'start' | 'end') => string;
  readonly edgeLeft: string;
  readonly noSuggestion: string;
  readonly noneHere: string;
  readonly removed: (label: string, text: string) => string;
  readonly resized: (label: string, text: string) => string;
  readonly scored: (score: string) => string;
  readonly by: (author: string) => string;
  readonly filterLabels: string;
  readonly escCloses: string;
  readonly close: string;
  readonly likely: string;
  readonly noLabelMatches: string;
  readonly noLabelYet: string;
  /** In place of the list, while there is no label. */
  readonly firstLabel: string;
  readonly createFirstLabel: string;
  readonly createLabel: (label: string) => string;
  readonly creatingLabel: (label: string) => string;
  readonly labels: string;
  readonly layoutFilter: string;
  readonly layoutFiltered: string;
  readonly guidelineOf: (label: string) => string;
  readonly hideLabel: (label: string) => string;
  readonly showLabel: (label: string) => string;
  readonly addLabelTo: (labelSet: string) => string;
  readonly newLabel: string;
  readonly save: string;
  readonly cancel: string;
  readonly exclusive: string;
  readonly nonExclusive: string;
  readonly moreLabels: (count: number) => string;
  readonly extension: string;
  readonly extensionHelp: string;
  readonly extensions: Readonly<Record<'none' | 'space' | 'space-or-punctuation', string>>;
  readonly contains: string;
  readonly insideTitle: string;
  readonly characters: string;
  readonly confidence: string;
  readonly confirmedByHand: string;
  readonly author: string;
  readonly history: string;
  readonly changeLabel: string;
  readonly accept: string;
  readonly reject: string;
  readonly remove: string;
  readonly retry: string;
  readonly notSaved: string;
  readonly actionsOf: (label: string) => string;
  readonly copyToAll: string;
  readonly comment: string;
  readonly link: string;
  readonly addFragment: string;
  readonly dropFragment: string;
  readonly dropThisFragment: (text: string) => string;
  readonly fragments: string;
  readonly sentenceCategories: (sentence: number) => string;
  readonly moreCategories: (count: number) => string;
  readonly annotationCount: (count: number) => string;
  /** `names`: of the terms of an annotation, separated by commas. */
  readonly linkedTo: (names: string) => string;
  readonly linkTerm: string;
  readonly changeTerm: string;
  readonly unlinkTerm: string;
  readonly unlinked: (term: string) => string;
  readonly noTermToUnlink: string;
}

export const ENGLISH: AnnotationStrings = {
  document: 'Document text',
  help: (modifier) =>
    `Arrows move by word, with ${modifier} by character, Shift with arrows selects, Tab goes to the next annotation, question mark lists all shortcuts, Escape then Tab leaves the text.`,
  status: { confirmed: 'confirmed', suggested: 'suggested', rejected: 'rejected', saving: 'being saved', failed: 'not saved' },
  inside: 'inside',
  continued: 'continued',
  tagSaving: 'saving',
  tagNotSaved: 'not saved',
  selected: (text) => `Selected: ${text}`,
  selectionCleared: 'Selection cleared',
  created: (label, text, { start, end }) => `${label} created: ${text}, ${String(start)} to ${String(end)}`,
  relabelled: (label, text) => `Now ${label}: ${text}`,
  accepted: (label, text) => `${label} accepted: ${text}`,
  rejected: (label, text) => `${label} rejected: ${text}`,
  movingEdge: (edge) => `Arrows move the ${edge} of the annotation; Enter confirms, Escape cancels`,
  edgeLeft: 'The annotation is unchanged',
  noSuggestion: 'No other suggestion in this direction',
  noneHere: 'No annotation here',
  removed: (label, text) => `${label} removed from ${text}`,
  resized: (label, text) => `${label} now on ${text}`,
  scored: (score) => `score ${score}`,
  by: (author) => `by ${author}`,
  filterLabels: 'Filter labels',
  escCloses: 'Esc closes',
  close: 'Close',
  likely: 'likely',
  noLabelMatches: 'No labels match',
  noLabelYet: 'No label yet',
  firstLabel: 'No label yet. Type a name to create the first one',
  createFirstLabel: 'Create the first label',
  createLabel: (label) => `Create “${label}”`,
  creatingLabel: (label) => `Creating “${label}”`,
  labels: 'Labels',
  layoutFilter: 'Choose the annotations to show',
  layoutFiltered: 'Choose which annotations are shown: some are hidden',
  guidelineOf: (label) => `Guideline of ${label}`,
  hideLabel: (label) => `Hide ${label}`,
  showLabel: (label) => `Show ${label}`,
  addLabelTo: (labelSet) => `Add a label to ${labelSet}`,
  newLabel: 'New label',
  save: 'Add label',
  cancel: 'Cancel',
  exclusive: 'exclusive',
  nonExclusive: 'non-exclusive',
  moreLabels: (count) => `${String(count)} more: use the filter to find them`,
  extension: 'Extend the selection',
  extensionHelp: 'About extending the selection',
  extensions: { none: 'As selected', space: 'To the next space', 'space-or-punctuation': 'To the next space or punctuation mark' },
  contains: 'Contains',
  insideTitle: 'Inside',
  characters: 'Characters',
  confidence: 'Confidence',
  confirmedByHand: 'Confirmed by hand',
  author: 'Author',
  history: 'History',
  changeLabel: 'Change label',
  accept: 'Accept',
  reject: 'Reject',
  remove: 'Remove annotation',
  retry: 'Retry',
  notSaved: 'This annotation is not saved yet. It is not lost.',
  actionsOf: (label) => `Actions on ${label}`,
  copyToAll: 'Copy to all identical occurrences',
  comment: 'Comment',
  link: 'Add a relation',
  addFragment: 'Add a fragment',
  dropFragment: 'Remove a fragment',
  dropThisFragment: (text) => `Remove this fragment: ${text}`,
  fragments: 'Fragments',
  sentenceCategories: (sentence) => `Categories of sentence ${String(sentence)}`,
  moreCategories: (count) => `+${String(count)}`,
  annotationCount: (count) => (count === 1 ? '1 annotation' : `${String(count)} annotations`),
  linkedTo: (names) => `linked to ${names}`,
  linkTerm: 'Link a term',
  changeTerm: 'Choose another term',
  unlinkTerm: 'Unlink the term',
  unlinked: (term) => `No longer linked to ${term}`,
  noTermToUnlink: 'This annotation is linked to no term',
};

export const FRENCH: AnnotationStrings = {
  document: 'Texte du document',
  help: (modifier) =>
    `Les flèches avancent mot par mot, avec ${modifier} caractère par caractère, Maj et flèches sélectionnent, Tab va à l’annotation suivante, le point d’interrogation affiche tous les raccourcis, Échap puis Tab quitte le texte.`,
  status: {
    confirmed: 'confirmée',
    suggested: 'suggérée',
    rejected: 'rejetée',
    saving: 'en cours d’enregistrement',
    failed: 'non enregistrée',
  },
  inside: 'dans',
  continued: 'suite',
  tagSaving: 'en cours',
  tagNotSaved: 'non enregistrée',
  selected: (text) => `Sélection : ${text}`,
  selectionCleared: 'Sélection effacée',
  created: (label, text, { start, end }) => `${label} créée : ${text}, ${String(start)} à ${String(end)}`,
  relabelled: (label, text) => `Maintenant ${label} : ${text}`,
  accepted: (label, text) => `${label} acceptée : ${text}`,
  rejected: (label, text) => `${label} rejetée : ${text}`,
  movingEdge: (edge) => `Les flèches déplacent ${edge === 'start' ? 'le début' : 'la fin'} de l’annotation ; Entrée valide, Échap annule`,
  edgeLeft: 'L’annotation est inchangée',
  noSuggestion: 'Pas d’autre suggestion dans ce sens',
  noneHere: 'Aucune annotation ici',
  removed: (label, text) => `${label} retirée de ${text}`,
  resized: (label, text) => `${label} porte maintenant sur ${text}`,
  scored: (score) => `score ${score}`,
  by: (author) => `par ${author}`,
  filterLabels: 'Filtrer les étiquettes',
  escCloses: 'Échap ferme',
  close: 'Fermer',
  likely: 'probable',
  noLabelMatches: 'Aucune étiquette ne correspond',
  noLabelYet: 'Aucune étiquette pour l’instant',
  firstLabel: 'Aucune étiquette pour l’instant. Saisissez un nom pour créer la première',
  createFirstLabel: 'Créer la première étiquette',
  createLabel: (label) => `Créer « ${label} »`,
  creatingLabel: (label) => `Création de « ${label} »`,
  labels: 'Étiquettes',
  layoutFilter: 'Choisir les annotations à afficher',
  layoutFiltered: 'Choisir les annotations à afficher : certaines sont masquées',
  guidelineOf: (label) => `Consigne de ${label}`,
  hideLabel: (label) => `Masquer ${label}`,
  showLabel: (label) => `Afficher ${label}`,
  addLabelTo: (labelSet) => `Ajouter une étiquette à ${labelSet}`,
  newLabel: 'Nouvelle étiquette',
  save: 'Ajouter l’étiquette',
  cancel: 'Annuler',
  exclusive: 'exclusif',
  nonExclusive: 'non exclusif',
  moreLabels: (count) => `${String(count)} de plus : filtrez pour les trouver`,
  extension: 'Étendre la sélection',
  extensionHelp: 'À propos de l’extension de la sélection',
  extensions: {
    none: 'Telle quelle',
    space: 'Jusqu’à l’espace suivante',
    'space-or-punctuation': 'Jusqu’à l’espace ou la ponctuation suivante',
  },
  contains: 'Contient',
  insideTitle: 'Dans',
  characters: 'Caractères',
  confidence: 'Confiance',
  confirmedByHand: 'Confirmée à la main',
  author: 'Auteur',
  history: 'Historique',
  changeLabel: 'Changer d’étiquette',
  accept: 'Accepter',
  reject: 'Rejeter',
  remove: 'Supprimer l’annotation',
  retry: 'Réessayer',
  notSaved: 'Cette annotation n’est pas encore enregistrée. Elle n’est pas perdue.',
  actionsOf: (label) => `Actions sur ${label}`,
  copyToAll: 'Copier sur toutes les occurrences identiques',
  comment: 'Commenter',
  link: 'Ajouter une relation',
  addFragment: 'Ajouter un fragment',
  dropFragment: 'Retirer un fragment',
  dropThisFragment: (text) => `Retirer ce fragment : ${text}`,
  fragments: 'Fragments',
  sentenceCategories: (sentence) => `Catégories de la phrase ${String(sentence)}`,
  moreCategories: (count) => `+${String(count)}`,
  annotationCount: (count) => (count < 2 ? `${String(count)} annotation` : `${String(count)} annotations`),
  linkedTo: (names) => `liée à ${names}`,
  linkTerm: 'Lier un terme',
  changeTerm: 'Choisir un autre terme',
  unlinkTerm: 'Délier le terme',
  unlinked: (term) => `N’est plus liée à ${term}`,
  noTermToUnlink: 'Cette annotation n’est liée à aucun terme',
};

export const AnnotationStringsContext = createContext<AnnotationStrings>(ENGLISH);

export const PersonContext = createContext<FormatPersonName>((username) => username);

export function useAnnotationStrings(): AnnotationStrings {
  return use(AnnotationStringsContext);
}
