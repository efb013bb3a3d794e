import type { ContractOperation, Exchange } from '#plugin-kit/testing'

/*
 * The operations of the provider that the plugin calls. `verified` says whether an operation was
 * compared with a document of the provider. If the provider has an OpenAPI document, check against
 * that.
 */

const memberIn = (body: string, name: string) =>
  (JSON.parse(body) as Record<string, unknown> | null)?.[name]

const results =
  (...names: string[]) =>
  ({ response, url }: Exchange) =>
    !response || response.status >= 400
      ? []
      : names.flatMap((name) =>
          memberIn(response.body, name) === undefined ? [`${url} answers no ${name}`] : []
        )

const operations: ContractOperation[] = [
  {
    id: 'getMe',
    method: 'GET',
    path: /^\/v1\/me$/,
    verified: false,
    checkResponse: results('team', 'scopes'),
  },
  // #region chat
  {
    id: 'listChannels',
    method: 'GET',
    path: /^\/v1\/channels$/,
    verified: false,
    checkResponse: results('channels', 'next_cursor'),
  },
  {
    id: 'postMessage',
    method: 'POST',
    path: /^\/v1\/channels\/[^/]+\/messages$/,
    verified: false,
    checkRequest: ({ body }) =>
      typeof memberIn(body, 'text') === 'string' ? [] : ['text is missing'],
    checkResponse: results('id', 'text'),
  },
  {
    id: 'updateMessage',
    method: 'PATCH',
    path: /^\/v1\/channels\/[^/]+\/messages\/[^/]+$/,
    verified: false,
    checkRequest: ({ body }) =>
      typeof memberIn(body, 'text') === 'string' ? [] : ['text is missing'],
    checkResponse: results('id', 'text'),
  },
  // #endregion
]

export default operations
