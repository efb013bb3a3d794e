import { isWhereWanted } from './evidence.js'
import { isEnd, isStop, type Decided, type Journal } from './journal.js'
import type { Finding } from './finding.js'

/** The ending of the last decision about a version. */
export type Ending = 'done' | 'asked' | 'failed' | 'replaced' | 'adopted' | 'held' | 'lost'

/**
 * Returns the last accepted decision by version. An end does not replace a stop or withdrawal,
 * which goes on.
 */
function lastDecisions(journal: Journal): Map<string, Decided> {
  const last = new Map<string, Decided>()
  for (const each of journal.decided) {
    const { decision, generation } = each
    if (generation === null) continue
    const before = last.get(decision.version)?.decision
    if (before && isEnd(decision) && (isStop(before) || before.what === 'withdraw')) continue
    last.set(decision.version, each)
  }
  return last
}

/** Returns how a last decision ended. */
function endingOf(journal: Journal, { decision, generation, order }: Decided): Ending {
  const truth = journal.store.truth(decision.version)
  if (isWhereWanted(decision, truth)) return 'done'
  if (truth?.state === 'replaced' || truth?.state === 'removed') return 'replaced'
  const said = journal.said
    .filter((each) => each.order > order)
    .map(({ announcement }) => announcement)
    .filter(({ version }) => version === decision.version)
  if (said.some(({ kind }) => kind === 'question' || kind === 'called')) return 'asked'
  if (said.some(({ kind }) => kind === 'adopted')) return 'adopted'
  if (said.some((each) => each.kind === 'heldBack' && each.generation === generation)) return 'held'
  // A failed stop needs a person, so a failure alone is not enough.
  const isReported = said.some((each) => each.kind === 'failed' && each.generation === generation)
  return isReported && !isStop(decision) ? 'failed' : 'lost'
}

export function endings(journal: Journal): Ending[] {
  return [...lastDecisions(journal).values()].map((each) => endingOf(journal, each))
}

/** Rule: the store ends in the last decided state, or a person was asked. */
export function judgeEnd(journal: Journal): Finding[] {
  return [...lastDecisions(journal).values()].flatMap((last) => {
    if (endingOf(journal, last) !== 'lost') return []
    const { version, what } = last.decision
    const state = journal.store.truth(version)?.state ?? 'not there'
    return [
      {
        rule: 'ends where wanted',
        at: journal.endedAt,
        order: Infinity,
        what: `${version} is ${state} although the last decision was ${what} (generation ${last.generation}), and nobody was asked`,
      } as const,
    ]
  })
}
