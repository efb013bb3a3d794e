import { textOf } from '../../frame/fields.js'
import type { PageCall } from '../../frame/page.js'
import type { CiBuild, Feature, ShownStep, StoreBuild } from '../answers.js'
import { installsOf, type Install } from './installs.js'
import { readPages } from './read_pages.js'

/** The run of a step, with data by the type of the step. */
export interface Run {
  data: Record<string, unknown>
  /** Its entity tag. */
  tag: string
}

/** The answers that the shown step needs, by its type. */
export interface StepAnswers {
  /** Null if the step has none. */
  run: Run | null
  /** Builds that stores have; empty for steps that show none. */
  storeBuilds: readonly StoreBuild[]
  /** The build that is tested; null if there is none, and for steps that test none. */
  tested: CiBuild | null
  /** Ways to install it. */
  installs: readonly Install[]
  /** Builds that the release had, the newest first; empty for steps that show none. */
  builds: readonly CiBuild[]
  /** Languages of the texts; empty for steps that show none. */
  locales: readonly Locale[]
  /** Null for steps of other types. */
  features: Features | null
}

/** The progress of translating the texts into a language. */
export interface Locale {
  locale: string
  percentage: number
}

export interface Features {
  items: readonly Feature[]
  /** True if all that match the filter were read. */
  isAll: boolean
}

const CANDIDATES: ReadonlySet<string> = new Set(['releaseCandidate', 'rollbackBuild'])
/** Steps whose people install the build. */
const TESTING: ReadonlySet<string> = new Set([...CANDIDATES, 'regressionTesting'])
/** Steps that show the builds of stores. */
const WITH_STORE_BUILDS: ReadonlySet<string> = new Set(['submission', 'betaTesting'])

/** Reads everything that a step shows. */
export async function readStep(
  call: PageCall,
  steps: readonly ShownStep[],
  chosen: ShownStep | null
): Promise<StepAnswers> {
  const run = chosen && (await runOf(call, chosen))
  const shows = (types: ReadonlySet<string>) => chosen !== null && types.has(chosen.type)
  const tested = shows(TESTING) ? await testedIn(call, steps, chosen!, run) : null
  return {
    run,
    storeBuilds: shows(WITH_STORE_BUILDS) ? await storeBuildsOf(call) : [],
    tested,
    installs: await installsOf(call, tested),
    builds: shows(CANDIDATES) ? await listOf<CiBuild>(call, 'listReleaseBuilds') : [],
    locales:
      chosen?.type === 'translations' ? await listOf<Locale>(call, 'listTranslationProgress') : [],
    features: chosen?.type === 'featureReadiness' ? await featuresOf(call) : null,
  }
}

const ofRelease = ({ params: { appId, releaseId } }: PageCall) => ({ appId, releaseId })

/** Reads the run of a step; null if it has none. */
export async function runOf(call: PageCall, { stepRunId }: ShownStep): Promise<Run | null> {
  if (!stepRunId) return null
  const params = { ...ofRelease(call), stepRunId }
  const { body, etag } = await call.ask<Omit<Run, 'tag'>>('getStepRun', { params })
  return { ...body, tag: etag }
}

/** Reads the active build: of a candidate step itself; for testing, of the first candidate step. */
async function testedIn(
  call: PageCall,
  steps: readonly ShownStep[],
  chosen: ShownStep,
  own: Run | null
): Promise<CiBuild | null> {
  const isOwn = CANDIDATES.has(chosen.type)
  const candidate = steps.find(({ type, hidden }) => CANDIDATES.has(type) && !hidden)
  const run = isOwn ? own : candidate && (await runOf(call, candidate))
  return (run?.data.activeBuild ?? null) as CiBuild | null
}

const listOf = async <Each>(call: PageCall, operation: string): Promise<readonly Each[]> =>
  (await call.ask<readonly Each[]>(operation, { params: ofRelease(call) })).body

async function storeBuildsOf(call: PageCall): Promise<readonly StoreBuild[]> {
  const request = { params: ofRelease(call) }
  return (await readPages<StoreBuild>(call.ask, 'listAppStoreBuilds', request)).items
}

/** The maximum length of a search, in characters. */
const MAX_OF_SEARCH = 200

/** Reads the features that match the search in the query, regardless of their readiness. */
function featuresOf(call: PageCall): Promise<Features> {
  const q = textOf(call.query, 'q')?.slice(0, MAX_OF_SEARCH)
  const request = { params: ofRelease(call), ...(q !== undefined && { query: { q } }) }
  return readPages<Feature>(call.ask, 'searchFeatureReadiness', request)
}
