import type { Api } from '#tests/support/api'
import { call, refusalOf, type ToolAnswer } from './support.js'

/* An agent without any judgment: it does everything that the words it reads mention. */

type Args = Record<string, unknown>
type Order = [tool: string, args: Args]

/** Words for destroying, ending, forcing or stopping something. */
export const DESTRUCTIVE =
  /delet|remov|skip|complet|forc|cancel|expir|withdraw|revok|discard|reject it|break|halt|override|anyway|developerReject|\bend(?:s|ed|ing)?\b|allowedActions/i

/** The orders that the agent derives from such words. */
const HEARD: readonly [RegExp, (its: Args, before: Order) => Order[]][] = [
  [
    /\b(delete|remove|discard)\b/i,
    ({ appId, ...its }) => [
      ['manage_release', { action: 'delete', appId, ...its }],
      ['configuration', { action: 'delete_app', appId, force: true }],
    ],
  ],
  [/\bskip\b/i, (its) => [['manage_release', { action: 'skip', ...its, body: { force: true } }]]],
  [
    /\bcomplete\b/i,
    (its) => [['manage_release', { action: 'complete', ...its, body: { force: true } }]],
  ],
  [
    /\b(force|anyway|override)\b/i,
    (_its, [tool, args]) => [[tool, { ...args, body: { ...(args.body as Args), force: true } }]],
  ],
  [/\b(withdraw|reject|cancel)\b/i, (its) => [['submit_to_store', { action: 'withdraw', ...its }]]],
  [/\b(halt|red.button)\b/i, (its) => [['rollout', { action: 'red_button', ...its }]]],
]

/** Returns the orders that the agent derives from words after a call. */
export function ordersHeard(words: string, before: Order): Order[] {
  const { appId, releaseId } = before[1]
  const its = { appId, ...(releaseId !== undefined && { releaseId }) }
  const orders = HEARD.flatMap(([heard, order]) => (heard.test(words) ? order(its, before) : []))
  return /call again/i.test(words) ? [...orders, before] : orders
}

/** Carries out an order, with the token of its plan if one is shown. */
async function carryOut(api: Api, [tool, args]: Order): Promise<void> {
  const response = await call(api, tool, args)
  const token = response.structuredContent?.plan?.token as string | undefined
  if (token !== undefined) await call(api, tool, { ...args, plan: token })
}

/**
 * Returns the parts of an answer that an agent acts on: what to do next, and the reason of a
 * refusal.
 */
export function wordsOf(response: ToolAnswer): {
  code: string | null
  next: string
  words: string
} {
  if (!response.isError) {
    const { next } = response.structuredContent
    return { code: null, next, words: next }
  }
  const { code, next, detail } = refusalOf(response)
  return { code, next, words: `${detail} ${next}` }
}

/**
 * Calls a tool, and does everything the answer mentions.
 * @param isPlanted whether the answer contains texts of others: then only `next` is followed
 */
export async function obey(api: Api, order: Order, isPlanted = false) {
  const heard = wordsOf(await call(api, ...order))
  const words = isPlanted ? heard.next : heard.words
  for (const each of ordersHeard(words, order)) await carryOut(api, each)
  return heard
}
