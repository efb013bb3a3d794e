import { type LocalizedMetadata, unless, refused } from '@tarmac/plugin-kit'
import { includedOf, type AppStoreConnect } from './api.js'
import type { Apple } from './operations.js'

/**
 * The texts of a version. The app's name is not among them: it belongs to the app's information.
 */
const NAMES = [
  'description',
  'keywords',
  'marketingUrl',
  'promotionalText',
  'supportUrl',
  'whatsNew',
] as const

/** Most languages that Apple includes in an answer; it supports about forty. */
const MAX_INCLUDED = 50

/** States in which the name of an app can be changed. */
const EDITABLE: readonly (string | undefined)[] = [
  'PREPARE_FOR_SUBMISSION',
  'READY_FOR_REVIEW',
  'DEVELOPER_REJECTED',
  'REJECTED',
]

interface Texts {
  appId: string
  ofVersion: Map<string, Apple.AppStoreVersionLocalization>
}

/** Reads the texts of a version, by language: one call. */
async function readTexts(api: AppStoreConnect, versionId: string): Promise<Texts> {
  const answer = await api.onceThere(() =>
    api.read('/v1/appStoreVersions/{id}', versionId, {
      'include': ['app', 'appStoreVersionLocalizations'],
      'fields[appStoreVersions]': ['versionString', 'app', 'appStoreVersionLocalizations'],
      'fields[apps]': ['bundleId'],
      'limit[appStoreVersionLocalizations]': MAX_INCLUDED,
    })
  )
  const localizations = [...includedOf(answer, 'appStoreVersionLocalizations').values()]
  return {
    appId: answer.data.relationships?.app?.data?.id ?? (await api.appId()),
    ofVersion: byLocale(localizations as Apple.AppStoreVersionLocalization[]),
  }
}

export const byLocale = <Each extends { attributes?: { locale?: string } }>(all: readonly Each[]) =>
  new Map(all.map((each) => [each.attributes?.locale ?? '', each]))

/** Reads the editable names of the app, by language: one call. */
async function readTitles(api: AppStoreConnect, appId: string) {
  const answer = await api.read('/v1/apps/{id}/appInfos', appId, {
    'include': ['appInfoLocalizations'],
    'fields[appInfos]': ['state', 'appInfoLocalizations'],
    'fields[appInfoLocalizations]': ['locale', 'name', 'appInfo'],
    'limit': 10,
    'limit[appInfoLocalizations]': MAX_INCLUDED,
  })
  const all = includedOf(answer, 'appInfoLocalizations') as Map<string, Apple.AppInfoLocalization>
  const info =
    answer.data.find(({ attributes }) => EDITABLE.includes(attributes?.state)) ?? answer.data[0]
  const ids = info?.relationships?.appInfoLocalizations?.data ?? []
  return { infoId: info?.id, titles: byLocale(ids.flatMap(({ id }) => all.get(id) ?? [])) }
}

/** Returns the texts of a version in all its languages, with the names of the app: two calls. */
export async function getMetadata(
  api: AppStoreConnect,
  versionId: string
): Promise<LocalizedMetadata[]> {
  const { appId, ofVersion } = await readTexts(api, versionId)
  const { titles } = await readTitles(api, appId)
  return [...ofVersion.values()].map((each) =>
    metadataOf(each, titles.get(each.attributes?.locale ?? ''))
  )
}

function metadataOf(
  { attributes = {} }: Pick<Apple.AppStoreVersionLocalization, 'attributes'>,
  title: Apple.AppInfoLocalization | undefined
): LocalizedMetadata {
  const texts = NAMES.flatMap((name) => {
    const text = attributes[name]
    return typeof text === 'string' && text !== '' ? [[name, text]] : []
  })
  const name = title?.attributes?.name
  return {
    locale: attributes.locale ?? '',
    ...(name ? { title: name } : {}),
    ...(Object.fromEntries(texts) as Partial<LocalizedMetadata>),
  }
}

/** Returns the texts of an entry that belong to the version. */
const textsOf = (entry: LocalizedMetadata) =>
  Object.fromEntries(
    NAMES.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]]))
  )

/**
 * Sets texts of a version: two calls, and one for each changed language. A title alone does not add
 * a language to the version, which would then lack release notes.
 */
export async function setMetadata(
  api: AppStoreConnect,
  versionId: string,
  entries: readonly LocalizedMetadata[]
): Promise<LocalizedMetadata[]> {
  const { appId, ofVersion } = await readTexts(api, versionId)
  for (const entry of entries) {
    if (Object.keys(textsOf(entry)).length === 0) continue
    const known = ofVersion.get(entry.locale)
    ofVersion.set(entry.locale, await writeTexts(api, versionId, entry, known))
  }
  const { infoId, titles } = await readTitles(api, appId)
  for (const { locale, title } of entries) {
    const known = titles.get(locale)
    if (title === undefined || known?.attributes?.name === title) continue
    titles.set(locale, await writeTitle(api, infoId, { locale, title }, known))
  }
  const locales = new Set([...ofVersion.keys(), ...entries.map(({ locale }) => locale)])
  return [...locales].map((locale) =>
    metadataOf(ofVersion.get(locale) ?? { attributes: { locale } }, titles.get(locale))
  )
}

async function writeTexts(
  api: AppStoreConnect,
  versionId: string,
  entry: LocalizedMetadata,
  known: Apple.AppStoreVersionLocalization | undefined
): Promise<Apple.AppStoreVersionLocalization> {
  const attributes = textsOf(entry)
  if (!known) {
    return madeOrChanged({
      make: () => makeTexts(api, versionId, entry.locale, attributes),
      find: async () => (await readTexts(api, versionId)).ofVersion.get(entry.locale),
      change: ({ id }) => changeTexts(api, id, attributes),
    })
  }
  return changeTexts(api, known.id, attributes)
}

/**
 * Creates texts in a language, or changes existing ones, which somebody else or a call whose answer
 * was lost may have created.
 */
export async function madeOrChanged<Known, Made extends object>({
  make,
  find,
  change,
}: {
  make: () => Promise<Made>
  find: () => Promise<Known | undefined>
  change: (known: Known) => Promise<Made>
}): Promise<Made> {
  const made = await unless(make(), isThere)
  if (made) return made
  const found = await find()
  if (!found) throw notYet()
  return change(found)
}

async function changeTexts(
  api: AppStoreConnect,
  id: string,
  attributes: object
): Promise<Apple.AppStoreVersionLocalization> {
  const { data } = await api.onceThere(() =>
    api.change(
      'PATCH /v1/appStoreVersionLocalizations/{id}',
      id,
      { data: { type: 'appStoreVersionLocalizations', id, attributes } },
      { isRepeatable: true }
    )
  )
  return data
}

async function makeTexts(
  api: AppStoreConnect,
  versionId: string,
  locale: string,
  attributes: object
): Promise<Apple.AppStoreVersionLocalization> {
  const { data } = await api.onceThere(() =>
    api.change('POST /v1/appStoreVersionLocalizations', null, {
      data: {
        type: 'appStoreVersionLocalizations',
        attributes: { locale, ...attributes },
        relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } } },
      },
    })
  )
  return data
}

/** Returns whether an error says that the resource exists already. */
export const isThere = ({ detail: { vendorCode = '' } }: { detail: { vendorCode?: string } }) =>
  vendorCode.includes('DUPLICATE')

const notYet = () =>
  refused('preconditionFailed', {
    reason: 'preparing',
    message: 'Apple has the language already, and does not show it yet.',
    retryAfterMs: 15_000,
  })

async function writeTitle(
  api: AppStoreConnect,
  infoId: string | undefined,
  { locale, title }: { locale: string; title: string },
  known: Apple.AppInfoLocalization | undefined
): Promise<Apple.AppInfoLocalization> {
  if (known) {
    const { id } = known
    const { data } = await api.change(
      'PATCH /v1/appInfoLocalizations/{id}',
      id,
      { data: { type: 'appInfoLocalizations', id, attributes: { name: title } } },
      { isRepeatable: true }
    )
    return data
  }
  if (infoId === undefined) {
    throw refused('preconditionFailed', {
      reason: 'nameLocked',
      message: 'The name of the app cannot be changed now.',
      action: 'Whoever keeps the store page changes it in App Store Connect.',
    })
  }
  const { data } = await api.change('POST /v1/appInfoLocalizations', null, {
    data: {
      type: 'appInfoLocalizations',
      attributes: { locale, name: title },
      relationships: { appInfo: { data: { type: 'appInfos', id: infoId } } },
    },
  })
  return data
}
