import { instant, randomFrom } from '../../../../examples/hostile-store/src/core/index.js'
import { runScenario } from './interleavings.js'
import type { Journal } from './journal.js'
import { endings, type Ending } from './judge_end.js'
import type { Finding } from './finding.js'
import { judge } from './oracle.js'
import { scenarioOf, type Scenario } from './scenario.js'
import type { Setting, System } from './system.js'

/** The most runs to reduce a failing scenario. */
const MAX_TRIALS = 400

export interface Failure {
  seed: number
  scenario: Scenario
  findings: Finding[]
  journal: Journal
}

export interface Exploration {
  runs: number
  /** The number of last decisions about versions, by how they ended. */
  endings: Record<Ending, number>
  calls: number
  failures: Failure[]
}

/** Runs the scenario of a seed. */
export function tryScenario(scenario: Scenario, make: (setting: Setting) => System): Failure {
  const journal = runScenario(scenario, make)
  return { seed: scenario.seed, scenario, findings: judge(journal), journal }
}

/** Runs scenarios of consecutive seeds until enough of them fail. */
export function explore(
  make: (setting: Setting) => System,
  { from, count, most = 1 }: { from: number; count: number; most?: number }
): Exploration {
  const result: Exploration = {
    runs: 0,
    endings: { done: 0, asked: 0, failed: 0, replaced: 0, adopted: 0, held: 0, lost: 0 },
    calls: 0,
    failures: [],
  }
  for (let seed = from; seed < from + count && result.failures.length < most; seed += 1) {
    const tried = tryScenario(scenarioOf(seed, randomFrom(seed)), make)
    result.runs += 1
    result.calls += tried.journal.flights.length
    for (const each of endings(tried.journal)) result.endings[each] += 1
    if (tried.findings.length > 0) result.failures.push(tried)
  }
  return result
}

/** Removes steps as long as the same rule stays broken. */
export function shrink(failure: Failure, make: (setting: Setting) => System): Failure {
  const smaller = shrinking(failure)
  for (let next = smaller.next(); ;) {
    if (next.done) return next.value
    next = smaller.next(tryScenario(next.value, make))
  }
}

/**
 * Does the same as a generator, for other runners: it yields each scenario, and receives the
 * outcome.
 */
export function* shrinking(
  failure: Failure,
  mostTrials = MAX_TRIALS
): Generator<Scenario, Failure, Failure> {
  const [{ rule }] = failure.findings
  let smallest = failure
  let trials = 0
  for (let size = Math.ceil(failure.scenario.steps.length / 2); size >= 1;) {
    let isSmaller = false
    for (let from = 0; from < smallest.scenario.steps.length && trials < mostTrials;) {
      trials += 1
      const steps = smallest.scenario.steps.toSpliced(from, size)
      const tried = yield { ...smallest.scenario, steps }
      if (tried.findings.some((each) => each.rule === rule)) {
        smallest = tried
        isSmaller = true
      } else from += size
    }
    if (trials >= mostTrials) break
    if (!isSmaller || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  return smallest
}

/** Lists all that happened in order, beside the true state of the store. */
export function traceOf({ seed, scenario, findings, journal }: Failure): string {
  const lines = linesOf(journal).sort((one, other) => one.at - other.at || one.order - other.order)
  const { kind, lagSeconds, managed, sendByHand } = scenario.options
  return [
    `seed ${seed}, ${scenario.steps.length} steps, ${kind}, lag ${lagSeconds} s`,
    JSON.stringify({ managed, sendByHand }),
    ...lines.map(({ at, text }) => `${instant(at)} ${text}`),
    ...findings.map(({ rule, at, what }) => `BROKEN "${rule}" at ${instant(at)}: ${what}`),
    `to keep it: { seed: ${seed}, steps: ${JSON.stringify(journal.steps)} }`,
  ].join('\n')
}

interface Line {
  at: number
  order: number
  text: string
}

function linesOf(journal: Journal): Line[] {
  const lines: Line[] = [...journal.notes]
  for (const { order, at, decision, generation, refused } of journal.decided) {
    const { version, by, ...rest } = decision
    const result = generation === null ? `refused: ${refused}` : `generation ${generation}`
    lines.push({ order, at, text: `${by} decides ${version} ${JSON.stringify(rest)}: ${result}` })
  }
  for (const flight of journal.flights) lines.push(...flightLines(flight))
  for (const { order, at, announcement } of journal.said) {
    lines.push({ order, at, text: `  says ${JSON.stringify({ ...announcement, at: undefined })}` })
  }
  lines.push(...readLines(journal))
  for (const version of journal.store.versions) {
    for (const { at, by, truth } of journal.store.history(version)) {
      const doer = by.who === 'us' ? by.key : by.who
      const share = `${Math.round(truth.share * 1000) / 10} %`
      const rollout = truth.rollout?.state ?? 'no rollout'
      const waits = truth.waitsForSending ? ', waits for sending' : ''
      const text = `    TRUTH ${version} ${truth.state}, ${rollout}, ${share}${waits} (by ${doer})`
      lines.push({ order: Infinity, at, text })
    }
  }
  return lines
}

function flightLines({ key, call, lane, begun, arrived, ended }: Journal['flights'][number]) {
  const lines: Line[] = [{ ...begun, text: `${key} begins (${lane}): ${JSON.stringify(call)}` }]
  if (arrived) lines.push({ ...arrived, text: `${key} arrives` })
  if (ended) {
    const { error, ...when } = ended
    const what = error ? `${error.code} ${error.detail.reason ?? ''} ${error.detail.outcome}` : 'ok'
    lines.push({ ...when, text: `${key} ends: ${what}` })
  }
  return lines
}

/** Lists reads, without those that show the same as the one before while nothing else happens. */
function readLines(journal: Journal): Line[] {
  const actions = [...journal.decided, ...journal.flights.flatMap(flightLines)]
  let before = { order: 0, shown: '' }
  return journal.observations.flatMap(({ order, at, beganAt, versions }) => {
    const shown = versions
      .map(({ version, status, rollout, waitsForSending }) =>
        [version, status.state, rollout?.state, rollout?.fraction, waitsForSending && 'waits']
          .filter(Boolean)
          .join(' ')
      )
      .sort()
      .join('; ')
    const isQuiet = !actions.some((each) => each.order > before.order && each.order < order)
    const isSame = shown === before.shown && isQuiet
    before = { order, shown }
    if (isSame) return []
    return [{ order, at, text: `  reads (began ${instant(beganAt)}): ${shown}` }]
  })
}
