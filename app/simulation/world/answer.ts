import { respondForAppStore } from './app_store_answers.js'
import { respondForCode } from './code_answers.js'
import { respondForCi } from './ci_answers.js'
import { respondForAnalytics, respondForCrashes } from './monitoring_answers.js'
import { respondForFlags, respondForOnCall, respondForTranslations } from './product_answers.js'
import { respondForChat, respondForTests, respondForTracker } from './work_answers.js'
import { respondForPlay } from './play_answers.js'
import { respondForHosted } from './hosted_answers.js'
import {
  answered,
  noAddress,
  readRequest,
  Refusal,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import { settleUntil } from './consoles.js'
import type { Trouble, World } from './world.js'

/*
 * Answers of a world's providers over HTTP. They share one host; the path names the provider.
 */

type Provider = (
  world: World,
  now: number,
  request: WorldRequest
) => WorldResponse | Promise<WorldResponse>

const PROVIDERS: Readonly<Record<string, Provider>> = {
  me: (world, now) => answered(world, { seed: world.seed, now: new Date(now).toISOString() }),
  code: respondForCode,
  hosted: respondForHosted,
  ci: respondForCi,
  apple: respondForAppStore,
  google: respondForPlay,
  chat: respondForChat,
  tracker: respondForTracker,
  tests: respondForTests,
  flags: respondForFlags,
  oncall: respondForOnCall,
  translations: respondForTranslations,
  crashes: respondForCrashes,
  analytics: respondForAnalytics,
}

/** Answers an authenticated request. @param now the world's own time */
export async function respondInWorld(
  world: World,
  now: number,
  request: Request
): Promise<WorldResponse> {
  const settled = settleUntil(world, now)
  try {
    const parsed = await readRequest(request)
    const [version, kind, ...path] = parsed.path
    if (version !== 'v1' || !Object.hasOwn(PROVIDERS, kind)) throw noAddress()
    const provider = kind === 'hosted' ? 'code' : kind
    if (isIn(settled.outages, provider, now)) throw new Refusal(503, 'The provider is away')
    if (isIn(settled.limits, provider, now)) throw new Refusal(429, 'Too many requests')
    if (isIn(settled.revocations, provider, now)) throw new Refusal(401, 'The token was revoked')
    return await PROVIDERS[kind](settled, now, { ...parsed, path })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, message, code, more } = error
    const body = { message, code: code ?? undefined, error: more.error }
    const headers = status === 429 ? { 'retry-after': RETRY_AFTER } : undefined
    return { response: Response.json(body, { status, headers }), world: more.world ?? settled }
  }
}

/** Seconds after which a throttled client may retry. */
const RETRY_AFTER = '60'

const isIn = (troubles: readonly Trouble[], kind: string, now: number) =>
  troubles.some(
    ({ of, from, until }) =>
      (of === null || of === kind) && from <= now && now < (until ?? Infinity)
  )
