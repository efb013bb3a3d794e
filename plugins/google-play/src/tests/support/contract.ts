import { Ajv } from 'ajv'
import type { ContractOperation, Exchange } from '@tarmac/plugin-kit/testing'
import { published, PUBLISHER, REPORTING, type Published } from './published.js'

const APP = '/androidpublisher/v3/applications/[^/]+'
const EDIT = `${APP}/edits/[^/:]+`
const REPORT = '/v1beta1/apps/[^/:]+'

interface Described {
  /** Method and path, as a pattern. */
  call: readonly [method: string, path: string]
  /** The types of its body and of its answer; an empty answer has no type. */
  body?: string
  answer?: string
  /** The text that begins the list of its parameters. */
  query?: string
}

const of = (name: string) => `interface Params$Resource$${name} extends StandardParameters {`

/** The operations that the plugin calls. */
const OPERATIONS: Readonly<Record<string, Described>> = {
  'edits.insert': {
    call: ['POST', `${APP}/edits`],
    ...{ body: `${PUBLISHER}AppEdit`, answer: `${PUBLISHER}AppEdit` },
  },
  'edits.delete': { call: ['DELETE', EDIT] },
  'edits.commit': {
    call: ['POST', `${EDIT}:commit`],
    ...{ answer: `${PUBLISHER}AppEdit`, query: of('Edits$Commit') },
  },
  'edits.tracks.list': {
    call: ['GET', `${EDIT}/tracks`],
    answer: `${PUBLISHER}TracksListResponse`,
  },
  'edits.tracks.get': { call: ['GET', `${EDIT}/tracks/[^/]+`], answer: `${PUBLISHER}Track` },
  'edits.tracks.update': {
    call: ['PUT', `${EDIT}/tracks/[^/]+`],
    ...{ body: `${PUBLISHER}Track`, answer: `${PUBLISHER}Track` },
  },
  'edits.bundles.list': {
    call: ['GET', `${EDIT}/bundles`],
    answer: `${PUBLISHER}BundlesListResponse`,
  },
  'edits.apks.list': { call: ['GET', `${EDIT}/apks`], answer: `${PUBLISHER}ApksListResponse` },
  'edits.listings.list': {
    call: ['GET', `${EDIT}/listings`],
    answer: `${PUBLISHER}ListingsListResponse`,
  },
  'edits.listings.patch': {
    call: ['PATCH', `${EDIT}/listings/[^/]+`],
    ...{ body: `${PUBLISHER}Listing`, answer: `${PUBLISHER}Listing` },
  },
  'edits.listings.update': {
    call: ['PUT', `${EDIT}/listings/[^/]+`],
    ...{ body: `${PUBLISHER}Listing`, answer: `${PUBLISHER}Listing` },
  },
  'applications.tracks.releases.list': {
    call: ['GET', `${APP}/tracks/[^/]+/releases`],
    answer: `${PUBLISHER}ListReleaseSummariesResponse`,
  },
  'reviews.list': {
    call: ['GET', `${APP}/reviews`],
    ...{ answer: `${PUBLISHER}ReviewsListResponse`, query: of('Reviews$List') },
  },
  'reviews.get': { call: ['GET', `${APP}/reviews/[^/:]+`], answer: `${PUBLISHER}Review` },
  'reviews.reply': {
    call: ['POST', `${APP}/reviews/[^/:]+:reply`],
    ...{ body: `${PUBLISHER}ReviewsReplyRequest`, answer: `${PUBLISHER}ReviewsReplyResponse` },
  },
  'apps.search': {
    call: ['GET', '/v1beta1/apps:search'],
    answer: `${REPORTING}SearchAccessibleAppsResponse`,
  },
  'apps.fetchReleaseFilterOptions': {
    call: ['GET', `${REPORT}:fetchReleaseFilterOptions`],
    answer: `${REPORTING}ReleaseFilterOptions`,
  },
  'vitals.crashrate.get': {
    call: ['GET', `${REPORT}/crashRateMetricSet`],
    answer: `${REPORTING}CrashRateMetricSet`,
  },
  'vitals.crashrate.query': {
    call: ['POST', `${REPORT}/crashRateMetricSet:query`],
    body: `${REPORTING}QueryCrashRateMetricSetRequest`,
    answer: `${REPORTING}QueryCrashRateMetricSetResponse`,
  },
  'vitals.errors.issues.search': {
    call: ['GET', `${REPORT}/errorIssues:search`],
    answer: `${REPORTING}SearchErrorIssuesResponse`,
    query: 'interface IssuesResource {',
  },
}

/** Returns Google's published types as checks of requests and of the fake's answers. */
export async function contractOfGoogle(): Promise<ContractOperation[]> {
  const described = Object.values(OPERATIONS)
  const types = described.flatMap(({ body, answer }) =>
    [body, answer].flatMap((each) => each ?? [])
  )
  const lists = described.flatMap(({ query }) => query ?? [])
  const document = await published([...new Set(types)], lists)
  const check = checkerFor(document)
  const operations = Object.entries(OPERATIONS).map(([id, { call, body, answer, query }]) => {
    const [method, path] = call
    return {
      id,
      method,
      path: new RegExp(`^${path}$`),
      verified: true,
      checkRequest: (exchange: Exchange) => [
        ...(query ? strangersIn(id, exchange, document.parameters[query]) : []),
        ...checkBody(id, body, exchange.body),
      ],
      checkResponse: ({ response }: Exchange) => {
        // All refusals have one form, which no type describes.
        if (!response || response.status >= 300) return []
        return checkBody(id, answer, response.body)
      },
    }
  })

  function checkBody(id: string, type: string | undefined, text: string): string[] {
    if (type !== undefined) return check(id, type, text === '' ? '{}' : text)
    return text === '' ? [] : [`${id} has no body`]
  }

  return [...operations, TOKEN]
}

const strangersIn = (id: string, { url }: Exchange, known: readonly string[]) =>
  [...new URL(url).searchParams.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => `${id}: there is no parameter ${name}`)

/** Checks JSON against a type; errors are sentences. */
function checkerFor({ definitions }: Published) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: BASE, definitions })
  return (what: string, type: string, text: string): string[] => {
    const ref = `${BASE}#/definitions/${encodeURIComponent(type)}`
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref })
    if (validate(JSON.parse(text))) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${what}: ${instancePath} ${message} ${JSON.stringify(params)}`
    )
  }
}

const BASE = 'https://google.example/'

/** Google's tokens follow RFC 7523: no type describes them. */
const TOKEN: ContractOperation = {
  id: 'POST token',
  method: 'POST',
  path: /^\/token$/,
  verified: false,
}
