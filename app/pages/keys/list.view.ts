import type { ApiKeyEntity } from '#organizations/entities'
import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appNames, type NameOfApp } from '../words/names.js'
import { counted } from '../words/numbers.js'
import { relativeText, sinceText, inSentence, type TimeReader } from '../words/times.js'
import type { KeysAnswers } from './answers.js'

type Call = Pick<PageCall, 'reader' | 'params'>

/** Returns the tabs for the two lists: keys, and CI runs that get keys. */
export const keySections = (orgId: string, here: 'keys' | 'trust') => [
  { name: 'Keys', href: addressOf(addresses.keys, { orgId }), isHere: here === 'keys' },
  {
    name: 'Keyless CI',
    href: addressOf(addresses.trustRules, { orgId }),
    isHere: here === 'trust',
  },
]

/** Returns the view of all keys: working ones, then those that have ended. */
export function keysView({ keys, apps }: KeysAnswers, { reader, params: { orgId } }: Call) {
  const nameOf = appNames(apps)
  const rows = keys.map((key) => ({ key, row: rowOf(key, nameOf, reader, orgId) }))
  const working = rows.filter(({ key }) => key.status === 'active')
  const unused = working.filter(({ key }) => key.unusedSince !== null).length
  const ended = rows.filter(({ key }) => key.status !== 'active')
  return {
    title: 'Keys',
    place: 'keys',
    pollSeconds: null,
    brief: `${counted(working.length, 'key')} ${working.length === 1 ? 'works' : 'work'}${
      unused > 0 ? `, ${unused} of them not used for 90 days` : ''
    }`,
    sections: keySections(orgId, 'keys'),
    newHref: addressOf(addresses.newKey, { orgId }),
    rows: working.map(({ row }) => row),
    ended:
      ended.length > 0
        ? {
            title: `${counted(ended.length, 'key')} ${ended.length === 1 ? 'has' : 'have'} ended`,
            rows: ended.map(({ row }) => row),
          }
        : null,
  } satisfies PageView & Record<string, unknown>
}

function rowOf(key: ApiKeyEntity, nameOf: NameOfApp, times: TimeReader, orgId: string) {
  const params = { orgId, apiKeyId: key.id }
  const isWorking = key.status === 'active'
  return {
    id: key.id,
    name: key.name,
    prefix: `${key.prefix}…`,
    may: mayText(key),
    apps: appsText(key, nameOf),
    used: usedText(key, times),
    ends: endText(key, times),
    made: `created ${inSentence(key.createdAt, times)}${key.madeBy ? ` by ${key.madeBy.name}` : ''}`,
    unused: key.unusedSince ? `Not used for ${sinceText(key.unusedSince, times.now)}` : null,
    warning: key.warning,
    // A personal key is renewed by its person, who signs in again.
    rotateHref: isWorking && key.person === null ? addressOf(addresses.rotateKey, params) : null,
    revokeHref: isWorking ? addressOf(addresses.revokeKey, params) : null,
  }
}

/** Describes in a few words what a key may do. */
export function mayText(key: Pick<ApiKeyEntity, 'admin' | 'groups' | 'person'>): string {
  const { admin, groups, person } = key
  if (person) return `Acts as ${person.name ?? person.email}`
  if (admin) return 'Admin: everything'
  return groups.length > 0 ? groups.map(({ name }) => name).join(', ') : 'Reads only'
}

function appsText({ admin, appRestricted, appIds }: ApiKeyEntity, nameOf: NameOfApp): string {
  if (admin || !appRestricted) return 'all apps'
  return appIds.length > 0 ? appIds.map(nameOf).join(', ') : 'no app'
}

/** Describes when a key was last used. */
export function usedText({ lastUsedAt }: Pick<ApiKeyEntity, 'lastUsedAt'>, times: TimeReader) {
  if (lastUsedAt === null) return 'never used'
  return `used ${relativeText(lastUsedAt, times.now) ?? inSentence(lastUsedAt, times)}`
}

function endText({ status, expiresAt, revokedAt }: ApiKeyEntity, times: TimeReader): string {
  if (status === 'revoked') return `revoked ${inSentence(revokedAt!, times)}`
  if (expiresAt === null) return 'never ends'
  return `${status === 'expired' ? 'ended' : 'ends'} ${inSentence(expiresAt, times)}`
}
