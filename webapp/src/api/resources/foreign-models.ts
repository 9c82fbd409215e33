import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';

/** A model that was trained by another installation. */
export type ForeignModel = Schemas['ForeignModelRead'];

export const foreignModelKeys = {
  all: ['foreignModels'] as const,
};

export const foreignModelsQuery = () =>
  queryOptions({
    queryKey: foreignModelKeys.all,
    queryFn: async () => (await call(client.GET('/foreign_models'))).models,
    meta: { silent: true },
  });

const modelPathParams = (model: ForeignModel) => ({ params: { path: { modelId: model.id } } });

/** Allows the model to run, in a process without permissions. */
export const acceptModel = (model: ForeignModel) => call(client.POST('/foreign_models/{modelId}/_accept', modelPathParams(model)));

/** Deletes its files; the experiment stays, untrained. */
export const rejectModel = (model: ForeignModel) => call(client.DELETE('/foreign_models/{modelId}', modelPathParams(model)));
