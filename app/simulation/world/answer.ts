import { answerOfAppStore } from './app_store_answers.js'
import { answerOfCode } from './code_answers.js'
import { answerOfCi } from './ci_answers.js'
import { answerOfAnalytics, answerOfCrashes } from './monitoring_answers.js'
import { answerOfFlags, answerOfOnCall, answerOfTranslations } from './product_answers.js'
import { answerOfChat, answerOfTests, answerOfTracker } from './work_answers.js'
import { answerOfPlay } from './play_answers.js'
import { answerOfHosted } from './hosted_answers.js'
import {
  answered,
  noAddress,
  readRequest,
  Refusal,
  type Answered,
  type WorldRequest,
} from './http.js'
import { settleUntil } from './consoles.js'
import type { Trouble, World } from './world.js'

/*
 * Answers of a world's providers over HTTP. All of them have the same host; the path names the
 * provider.
 */

type Provider = (world: World, now: number, request: WorldRequest) => Answered | Promise<Answered>

const PROVIDERS: Readonly<Record<string, Provider>> = {
  me: (world, now) => answered(world, { seed: world.seed, now: new Date(now).toISOString() }),
  code: answerOfCode,
  hosted: answerOfHosted,
  ci: answerOfCi,
  apple: answerOfAppStore,
  google: answerOfPlay,
  chat: answerOfChat,
  tracker: answerOfTracker,
  tests: answerOfTests,
  flags: answerOfFlags,
  oncall: answerOfOnCall,
  translations: answerOfTranslations,
  crashes: answerOfCrashes,
  analytics: answerOfAnalytics,
}

/** Answers an authenticated request. @param now the world's own time */
export async function answerInWorld(
  world: World,
  now: number,
  request: Request
): Promise<Answered> {
  const settled = settleUntil(world, now)
  try {
    const parsed = await readRequest(request)
    const [version, kind, ...path] = parsed.path
    if (version !== 'v1' || !Object.hasOwn(PROVIDERS, kind)) throw noAddress()
    const whose = kind === 'hosted' ? 'code' : kind
    if (isIn(settled.outages, whose, now)) throw new Refusal(503, 'The provider is away')
    if (isIn(settled.limits, whose, now)) throw new Refusal(429, 'Too many requests')
    if (isIn(settled.revocations, whose, now)) throw new Refusal(401, 'The token was revoked')
    return await PROVIDERS[kind](settled, now, { ...parsed, path })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, message, code, more } = error
    const body = { message, code: code ?? undefined, error: more.error }
    const headers = status === 429 ? { 'retry-after': RETRY_AFTER } : undefined
    return { response: Response.json(body, { status, headers }), world: more.world ?? settled }
  }
}

/** Seconds after which a throttled client may ask again. */
const RETRY_AFTER = '60'

const isIn = (troubles: readonly Trouble[], kind: string, now: number) =>
  troubles.some(
    ({ of, from, until }) =>
      (of === null || of === kind) && from <= now && now < (until ?? Infinity)
  )
