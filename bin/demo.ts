import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'
import { lineOfReported, linesOfRehearsed } from '#simulation/rehearsal/lines'
import {
  NO_RELEASES,
  USUAL_BEGIN,
  type Rehearsed,
  type RehearsalPlan,
  type RehearsedItem,
  type RehearsalEntry,
} from '#simulation/rehearsal/plan'
import { planOfFile } from '#simulation/rehearsal/plan_of_file'
import { runApart } from '#simulation/rehearsal/run_apart'
import { scenarioFile } from '#simulation/scenarios/box'
import { STORIES, unreported } from '#simulation/scenarios/stories'

/*
 * Rehearses the app of docs/examples/rehearsal.yml, with its own home and virtual time: simulated
 * providers of every kind, a real git repository, and simulated people who do their parts. Exits
 * with 1 if an expected event does not happen.
 */

const COLORS: Readonly<Partial<Record<RehearsalEntry['kind'], string>>> = {
  sent: '\u001b[2m',
  refused: '\u001b[33m',
  world: '\u001b[36m',
}
const PLAIN = '\u001b[0m'
const isColored = process.stdout.isTTY === true

const example = (name: string) =>
  readFileSync(new URL(`../docs/examples/${name}`, import.meta.url), 'utf8')

const item = (kind: RehearsedItem['kind'], title: string): RehearsedItem => ({
  ...{ kind, title, required: true, stepType: null, step: null, owners: [] },
  releaseTypes: ['major', 'minor', 'point', 'hotfix'],
  ...{ requiredApprovals: kind === 'approval' ? 2 : null, fourEyes: null },
})

/**
 * The rollout policy: stops a version whose sessions crash more often than those of the version
 * before.
 */
const POLICY = {
  ladder: [1, 2, 5, 10, 20, 50, 100].map((percentage) => ({ percentage, hours: 24 })),
  guard: {
    metrics: [{ name: 'crashFreeSessions', total: 'sessions', bad: 'crashes' }],
    // The first version has no earlier one to compare with.
    whenUnsure: 'grow',
  },
  call: ['ada@acme.example'],
  finishWithinDays: 30,
}

function withPolicy(configuration: string): string {
  const document = parseDocument(configuration)
  document.setIn(['appStoreReleaseSettings', 'rollout'], document.createNode(POLICY))
  return String(document)
}

async function planOf(scenario: string | undefined): Promise<RehearsalPlan> {
  return {
    ...planOfFile(withPolicy(example('rehearsal.yml'))),
    items: [
      ...['Sign in', 'Checkout', 'Push notifications'].map((title) => item('regression', title)),
      item('approval', 'Product sign-off'),
    ],
    scenario: scenario ? String(await scenarioFile(scenario)) : example('demo_scenario.yml'),
    seed: null,
    begin: USUAL_BEGIN,
    days: 18,
    version: '1.0.0',
    ...NO_RELEASES,
    hasRepository: true,
  }
}

/** Messages that the default demo must contain. */
const STORY: readonly (readonly [what: string, said: RegExp])[] = [
  ['kickoff', /1\.1\.0 was kicked off/],
  ['a build that fails', /running → failed/],
  ['its retry', /Candidate: blocked → inProgress/],
  ['a regression item that fails', /Regression: \w+ → blocked/],
  ['a fix that is picked', /cherry|picked/i],
  ['approvals', /Approvals: \w+ → complete/],
  ['submission', /1\.1\.0 was submitted for review/],
  ['a rejection', /1\.1\.0 in the store: IN_REVIEW → REJECTED/],
  ['review', /1\.1\.0 in the store: IN_REVIEW → PENDING_DEVELOPER_RELEASE/],
  ['a phased rollout', /The rollout of 1\.1\.0 is ACTIVE at 2 %/],
  ['a crash spike that is found', /crashFreeSessions: unhealthy/],
  ['the halt', /The rollout of 1\.1\.0 is PAUSED at 5 %/],
  ['a hotfix', /1\.1\.1 was kicked off/],
  ['the end', /1\.1\.1 is completed/],
]

/**
 * @returns the expected events that did not happen; a scenario file of one's own only has to have a
 * release
 */
function missingIn(
  reported: readonly RehearsalEntry[],
  { releases }: Rehearsed,
  scenario: string | undefined
): string[] {
  const said = reported.filter(({ kind }) => kind !== 'sent').map(({ text }) => text)
  if (scenario !== undefined) {
    const story = Object.hasOwn(STORIES, scenario) ? STORIES[scenario] : null
    if (story) return unreported(story, said)
    return releases.length > 0 && reported.length > 0 ? [] : ['a release']
  }
  return STORY.filter(([, like]) => !reported.some(({ text }) => like.test(text))).map(
    ([what]) => what
  )
}

try {
  const { scenario } = parseArgs({ options: { scenario: { type: 'string' } } }).values
  const plan = await planOf(scenario)
  const reported: RehearsalEntry[] = []
  const rehearsed = await runApart(plan, (each) => {
    reported.push(each)
    const line = lineOfReported(each, plan.begin)
    const color = isColored ? COLORS[each.kind] : undefined
    console.log(color ? `${color}${line}${PLAIN}` : line)
  })
  console.log(['', ...linesOfRehearsed(rehearsed), ''].join('\n'))
  const missing = missingIn(reported, rehearsed, scenario)
  if (missing.length > 0) throw new Error(`this did not happen: ${missing.join(', ')}`)
  console.log('Done. Everything happened as it should.')
} catch (error) {
  console.error(`The demo failed: ${(error as Error).message}`)
  process.exitCode = 1
}
