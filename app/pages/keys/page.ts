import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { ApiKeyEntity, GroupEntity } from '#organizations/entities'
import type { MadeKey, NamedApp } from './answers.js'
import { madeKeyView, newKeyView, revokeKeyView, rotateKeyView } from './forms.view.js'
import { keysView } from './list.view.js'

const of = ({ orgId }: Record<string, string>) => ({ params: { orgId } })

const appsOf = async ({ ask, params }: PageCall) =>
  (await ask<NamedApp[]>('listApps', of(params))).body

async function keyOf({ ask, params: { orgId, apiKeyId } }: PageCall) {
  return (await ask<ApiKeyEntity>('getApiKey', { params: { orgId, apiKeyId } })).body
}

/** The API keys of an organization. */
export const keysPage = page({
  path: addresses.keys,
  template: 'keys/list',
  async read(call) {
    const { ask, params } = call
    const { body: keys } = await ask<ApiKeyEntity[]>('listApiKeys', of(params))
    return { keys, apps: await appsOf(call) }
  },
  view: keysView,
})

/** The form that makes a key. */
export const newKeyPage = page({
  path: addresses.newKey,
  template: 'keys/new',
  async read(call) {
    const { ask, params } = call
    // Refuses readers who may not see keys, as they may not make one.
    await ask('listApiKeys', of(params))
    const { body: groups } = await ask<GroupEntity[]>('listGroups', of(params))
    return { groups, apps: await appsOf(call) }
  },
  view: newKeyView,
})

/** The form that rotates a key. */
export const rotateKeyPage = page({
  path: addresses.rotateKey,
  template: 'keys/rotate',
  read: keyOf,
  view: rotateKeyView,
})

/** The question before a key is revoked. */
export const revokeKeyPage = page({
  path: addresses.revokeKey,
  template: 'components/question_page',
  read: keyOf,
  view: revokeKeyView,
})

/** A key that was just made. */
export const madeKeyPage = page({
  path: addresses.keys,
  template: 'keys/made',
  read: async ({ answer, baseUrl }) => ({ made: answer as MadeKey, baseUrl }),
  view: madeKeyView,
})
