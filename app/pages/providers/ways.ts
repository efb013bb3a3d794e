import type { ProviderPluginDetails } from '#integrations/connection_entities'
import { CREDENTIALS_OF } from '#plugin-kit/manifest'
import type { ObjectSchema } from '#plugin-kit/schema'

type Scheme = ProviderPluginDetails['schemes'][number]

/** A way to connect a provider: in a browser, or with credentials of one kind. */
export interface Way {
  /** The name in URLs and forms. */
  id: 'browser' | Scheme
  name: string
  /** The credentials that it takes. */
  schema: ObjectSchema
  /** Names of credentials that only other ways use. */
  others: readonly string[]
}

const NAMES: Readonly<Record<Scheme, string>> = {
  none: 'By hand',
  header: 'With a token',
  basic: 'With a user name and a token',
  jwt: 'With a key',
  googleServiceAccount: 'With a key file',
  githubApp: 'With the key of an App',
  twoStep: 'With a client of your own',
  oauth2: 'In a browser',
}

/** Credentials that nobody types, because consent in a browser obtains them. */
const OBTAINED = ['refreshToken', 'accessToken']

const namesOf = (scheme: Scheme) => {
  const { required, optional = [] } = CREDENTIALS_OF[scheme]
  return [...required, ...optional].filter(
    (name) => scheme !== 'oauth2' || !OBTAINED.includes(name)
  )
}

/** Returns the ways to connect a provider, the usual one first. */
export function waysOf({ schemes, browser, credentialSchema }: ProviderPluginDetails): Way[] {
  const fullSchema = credentialSchema as unknown as ObjectSchema
  const all = Object.keys(fullSchema.properties ?? {})
  const inBrowser = browser?.preparation?.gives ?? []
  const specific = new Set([...schemes.flatMap(namesOf), ...inBrowser, ...OBTAINED])
  const shared = all.filter((name) => !specific.has(name))
  const hasOauth = schemes.includes('oauth2')
  // Consent needs the client id.
  const neededInBrowser = hasOauth ? ['clientId'] : inBrowser
  const way = (id: Way['id'], name: string, own: readonly string[]): Way => {
    const names = all.filter((each) => own.includes(each) || shared.includes(each))
    const needed = id === 'browser' ? neededInBrowser : CREDENTIALS_OF[id].required
    return {
      ...{ id, name },
      schema: {
        type: 'object',
        properties: Object.fromEntries(names.map((each) => [each, fullSchema.properties[each]])),
        required: [...new Set([...(fullSchema.required ?? []), ...needed])].filter((each) =>
          names.includes(each)
        ),
      },
      others: all.filter((each) => !names.includes(each)),
    }
  }
  const byHand = schemes
    .filter((scheme) => scheme !== 'oauth2')
    .map((scheme) => way(scheme, NAMES[scheme], namesOf(scheme)))
  if (!browser) return byHand
  return [way('browser', NAMES.oauth2, hasOauth ? namesOf('oauth2') : inBrowser), ...byHand]
}

/** Returns the way with an id; the first one for a missing or unknown id. */
export const wayIn = (ways: readonly Way[], id: unknown): Way =>
  ways.find((way) => way.id === id) ?? ways[0]
