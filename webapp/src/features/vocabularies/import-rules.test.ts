// @vitest-environment node
import { describe, expect, it } from 'vitest';
import {
  acceptedExtensions,
  changedParameters,
  fieldOfColumn,
  labelOfFile,
  proposedImporter,
  splitColumnFields,
  withSelectedColumns,
  withColumn,
} from './import-rules';

const importer = (name: string, ...extensions: string[]) => ({ name, title: name, description: '', extensions });
const IMPORTERS = [importer('csv', 'csv', 'tsv'), importer('skos', 'ttl', 'rdf'), importer('obo', 'obo')];

const SCHEMA = {
  type: 'object',
  required: ['identifier_column', 'delimiter'],
  properties: {
    identifier_column: { type: 'string', title: 'Identifier' },
    alternative_columns: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], title: 'Other forms' },
    delimiter: { type: 'string' },
    skip_columns: { type: 'integer' },
  },
};

describe('the importer of a file (D-021, C-053)', () => {
  it('is proposed by the extension, whatever its case', () => {
    expect(proposedImporter(IMPORTERS, 'unescothes.TTL')).toBe('skos');
    expect(proposedImporter(IMPORTERS, 'a.b.tsv')).toBe('csv');
    const owl = importer('owl', 'owl', 'ttl', 'rdf');
    expect(proposedImporter([owl, ...IMPORTERS], 'unescothes.ttl')).toBe('skos');
    expect(proposedImporter([owl, ...IMPORTERS], 'doid.owl')).toBe('owl');
  });
  it('is chosen by the server for an archive and an unknown type', () => {
    expect(proposedImporter(IMPORTERS, 'all.zip')).toBe('');
    expect(proposedImporter(IMPORTERS, 'obo')).toBe('');
  });
  it('always accepts archives, and any file while the importers are unknown', () => {
    expect(acceptedExtensions(IMPORTERS)).toEqual(['csv', 'tsv', 'ttl', 'rdf', 'obo', 'zip']);
    expect(acceptedExtensions([])).toEqual([]);
  });
});

describe('the name of a new lexicon', () => {
  it.each([
    ['unesco_thesaurus.ttl', 'unesco thesaurus'],
    ['terms.csv.zip', 'terms'],
    ['.ttl', '.ttl'],
    ['diseases', 'diseases'],
  ])('%s -> %s', (file, label) => expect(labelOfFile(file)).toBe(label));
});

describe('the columns of a table', () => {
  const { fields, rest } = splitColumnFields(SCHEMA);

  it('are set at the columns, not in the form', () => {
    expect(fields).toEqual([
      { name: 'identifier_column', title: 'Identifier', many: false },
      { name: 'alternative_columns', title: 'Other forms', many: true },
    ]);
    expect(Object.keys(rest['properties'] as object)).toEqual(['delimiter', 'skip_columns']);
    expect(rest['required']).toEqual(['delimiter']);
  });

  it('are read for one parameter each', () => {
    let values: Readonly<Record<string, unknown>> = { identifier_column: 'id' };
    values = withColumn(fields, values, 'a', 'alternative_columns');
    values = withColumn(fields, values, 'b', 'alternative_columns');
    expect(values).toEqual({ identifier_column: 'id', alternative_columns: ['a', 'b'] });
    values = withColumn(fields, values, 'a', 'identifier_column');
    expect(values).toEqual({ identifier_column: 'a', alternative_columns: ['b'] });
    expect(fieldOfColumn(fields, values, 'id')).toBe('');
    values = withColumn(fields, values, 'a', '');
    expect(values['identifier_column']).toBe('');
    expect(fieldOfColumn(fields, values, 'b')).toBe('alternative_columns');
  });

  it('are those that the importer chose where none is given', () => {
    const mapping = { identifier_column: ['id'], alternative_columns: ['a', 'b'] };
    expect(withSelectedColumns(fields, { identifier_column: 'key', alternative_columns: [] }, mapping)).toEqual({
      ...{ identifier_column: 'key', alternative_columns: ['a', 'b'] },
    });
  });

  it('are sent only when they differ from the defaults', () => {
    expect(changedParameters({ delimiter: ',', identifier_column: 'id' }, { delimiter: ',', identifier_column: null })).toEqual({
      identifier_column: 'id',
    });
  });
});
