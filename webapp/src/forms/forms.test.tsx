import ajv from '@rjsf/validator-ajv8';
import type { RJSFSchema } from '@rjsf/utils';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import { startTestI18n } from '@/test/render';
import { differsFromDefault, prepareSchema, buildUiSchema, withoutNulls } from './prepare-schema';
import { SchemaForm, type FormValues } from './schema-form';
import { translateErrors } from './translate-errors';
import { EvalFreeValidator } from './validator';

/** As pydantic writes them. */
const SCHEMA: RJSFSchema = {
  title: 'CrfLearnerParameters',
  type: 'object',
  $defs: { Mode: { enum: ['fast', 'exact'], title: 'Mode', type: 'string' } },
  properties: {
    c1: { type: 'number', minimum: 0, maximum: 2, default: 0.1, title: 'L1 weight', description: 'Higher keeps fewer features' },
    rounds: { type: 'integer', minimum: 1, default: 100, title: 'Rounds', 'x-unit': 'rounds' } as RJSFSchema,
    mode: { $ref: '#/$defs/Mode', default: 'fast' },
    name: { type: 'string', minLength: 1, title: 'Name' },
    seed: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, title: 'Seed', 'x-advanced': true } as RJSFSchema,
    lower: { type: 'boolean', default: true, title: 'Lower-case words' },
    words: { type: 'array', items: { type: 'string' }, default: [], title: 'Stop words' },
    pattern: { type: 'string', default: '', title: 'Pattern', 'x-widget': 'code', 'x-advanced': true } as RJSFSchema,
    odd: { type: 'string', title: 'Odd', 'x-widget': 'hologram' } as RJSFSchema,
  },
  required: ['name'],
};

beforeAll(() => startTestI18n());

describe('CSP-safe validator', () => {
  const own = new EvalFreeValidator<FormValues>();
  const schema = prepareSchema(SCHEMA);
  const cases: FormValues[] = [
    { name: 'x' },
    {},
    { name: '' },
    { name: 'x', c1: 3 },
    { name: 'x', c1: 'a' },
    { name: 'x', rounds: 1.5 },
    { name: 'x', rounds: 0 },
    { name: 'x', mode: 'slow' },
    { name: 'x', words: [1, 'b'] },
    { name: 'x', lower: 'yes', c1: -1, rounds: 'q' },
    { name: 'x', seed: 4 },
    { name: 'x', seed: 'four' },
  ];
  it.each(cases.map((data) => [JSON.stringify(data), data] as const))('agrees with ajv on %s', (_text, data) => {
    const wanted = ajv
      .validateFormData(data, schema as never)
      .errors.map((error) => `${(error.property ?? '').replace(/^\.?/, '.')} ${error.name}`)
      .sort();
    const found = own
      .validateFormData(data, schema)
      .errors.map((error) => `${error.property} ${error.name}`)
      .sort();
    expect(found).toEqual(wanted);
    expect(own.isValid(schema, data, schema)).toBe(ajv.isValid(schema as never, data, schema as never));
  });
  it('resolves references of a part against the root', () => {
    const part: RJSFSchema = { $ref: '#/$defs/Mode' };
    expect(own.isValid(part, 'fast' as never, SCHEMA)).toBe(true);
    expect(own.isValid(part, 'slow' as never, SCHEMA)).toBe(false);
  });
  it('says one thing for a failed alternative', () => {
    const either: RJSFSchema = { type: 'object', properties: { v: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] } } };
    expect(own.validateFormData({ v: 'x' }, either).errors.map((error) => error.name)).toEqual(['anyOf']);
  });
  it('compiles no code', () => {
    const spy = vi.spyOn(globalThis, 'Function');
    own.validateFormData({ name: 'x' }, { ...schema });
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  });
});

describe('preparing a pydantic schema', () => {
  it('draws anyOf [X, null] as an optional X', () => {
    const seed = prepareSchema(SCHEMA).properties?.['seed'] as RJSFSchema;
    expect(seed).toEqual({ type: 'integer', title: 'Seed', 'x-advanced': true });
    expect(prepareSchema({ anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }], default: 3 })).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      default: 3,
    });
  });
  it('orders required, common, advanced and knows only its hints', () => {
    const ui = buildUiSchema(prepareSchema(SCHEMA));
    expect(ui['ui:order']).toEqual(['name', 'c1', 'rounds', 'mode', 'lower', 'words', 'odd', 'seed', 'pattern', '*']);
    expect(ui['pattern']).toEqual({ 'ui:widget': 'code' });
    expect(ui['odd']).toEqual({});
  });
  it('drops stored nulls and sees changes from the default', () => {
    expect(withoutNulls({ a: null, b: { c: null, d: 0 }, e: [1] })).toEqual({ b: { d: 0 }, e: [1] });
    expect([
      differsFromDefault(1, 1),
      differsFromDefault(2, 1),
      differsFromDefault(undefined, undefined),
      differsFromDefault([], []),
      differsFromDefault('x', undefined),
    ]).toEqual([false, true, false, false, false]);
  });
});

describe('error sentences', () => {
  it('gives both bounds when there are two, in the language', async () => {
    const { errors } = new EvalFreeValidator<FormValues>().validateFormData({ name: 'x', c1: 5 }, prepareSchema(SCHEMA));
    expect(translateErrors(errors, i18next.t)[0]?.message).toBe('Use a number from 0 to 2');
    await i18next.changeLanguage('fr');
    expect(translateErrors(errors, i18next.t)[0]?.message).toBe('Saisissez un nombre de 0 à 2');
    await i18next.changeLanguage('en');
  });
});

function Host({
  onSubmit,
  serverErrors = [],
}: {
  readonly onSubmit: (value: FormValues) => void;
  readonly serverErrors?: { field: string; message: string }[];
}) {
  const [value, setValue] = useState<FormValues>({ c1: 0.1, rounds: 100, mode: 'fast', lower: true, words: [], pattern: '', seed: null });
  return (
    <QueryClientProvider client={createQueryClient()}>
      <SchemaForm id="f" schema={SCHEMA} value={value} onChange={setValue} onSubmit={onSubmit} serverErrors={serverErrors} />
      <button type="submit" form="f">
        Send
      </button>
    </QueryClientProvider>
  );
}

describe('SchemaForm', () => {
  it('names a list of values with words of their own', async () => {
    const values = ['Automatic', 'Comma', 'Semicolon', 'Tab', 'Vertical bar'];
    const delimiter: RJSFSchema = {
      type: 'string',
      title: 'Delimiter',
      default: 'v0',
      oneOf: values.map((title, at) => ({ const: `v${at}`, title })),
    };
    const schema: RJSFSchema = { type: 'object', properties: { delimiter } };
    const change = vi.fn();
    render(
      <QueryClientProvider client={createQueryClient()}>
        <SchemaForm id="f" schema={schema} value={{ delimiter: 'v0' }} onChange={change} onSubmit={() => undefined} />
      </QueryClientProvider>,
    );
    await userEvent.click(screen.getByRole('combobox', { name: 'Delimiter' }));
    await userEvent.click(screen.getByRole('option', { name: 'Tab' }));
    expect(change.mock.lastCall?.[0]).toEqual({ delimiter: 'v3' });
    expect(screen.getByText('Delimiter')).toBeVisible();
  });
  it('shows the error on its field, counts it, and submits once corrected', async () => {
    const submit = vi.fn();
    render(<Host onSubmit={submit} />);
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Fill in this field')).toBeInTheDocument();
    expect(screen.getByText('1 field to correct')).toBeInTheDocument();
    expect(submit).not.toHaveBeenCalled();
    await userEvent.type(screen.getByLabelText('Name'), 'crf');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(submit).toHaveBeenCalledOnce());
    expect(submit.mock.calls[0]?.[0]).toMatchObject({ name: 'crf', c1: 0.1, rounds: 100 });
    expect(submit.mock.calls[0]?.[0]).not.toHaveProperty('seed');
  });
  it('says the default of a changed value and resets it', async () => {
    render(<Host onSubmit={() => undefined} />);
    const field = screen.getByLabelText('L1 weight');
    await userEvent.clear(field);
    await userEvent.type(field, '1.5');
    expect(screen.getByText(/Default: 0.1/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(field).toHaveValue('0.1');
  });
  it('folds the advanced part and counts its changes', async () => {
    render(<Host onSubmit={() => undefined} />);
    const fold = screen.getByRole('button', { name: /Advanced/ });
    expect(fold).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(fold);
    fireEvent.change(screen.getByLabelText('Pattern'), { target: { value: 'a+' } });
    expect(await screen.findByText('1 changed')).toBeInTheDocument();
  });
  it('puts the server errors on their fields', async () => {
    render(<Host onSubmit={() => undefined} serverErrors={[{ field: 'rounds', message: 'Too many for this corpus' }]} />);
    expect(await screen.findByText('Too many for this corpus')).toBeInTheDocument();
  });
});
