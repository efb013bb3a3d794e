import { readFile } from 'node:fs/promises'
import { lineOfReported, linesOfRehearsed } from '../../rehearsal/lines.js'
import {
  NO_RELEASES,
  USUAL_BEGIN,
  type RehearsalPlan,
  type RehearsalEntry,
} from '../../rehearsal/plan.js'
import { planOfFile } from '../../rehearsal/plan_of_file.js'
import { runApart } from '../../rehearsal/run_apart.js'
import { scenarioFile } from '../../scenarios/box.js'

export const exampleFile = (name: string) =>
  readFile(new URL(`../../../../docs/examples/${name}`, import.meta.url), 'utf8')

/** Makes a plan of four days for the example file, with a scenario of the box. */
export async function planOf(
  scenario: string,
  more: Partial<RehearsalPlan> = {}
): Promise<RehearsalPlan> {
  return {
    ...planOfFile(await exampleFile('rehearsal.yml')),
    scenario: String(await scenarioFile(scenario)),
    ...{ seed: null, begin: USUAL_BEGIN, days: 4, version: '1.0.0', hasRepository: false },
    ...NO_RELEASES,
    ...more,
  }
}

/** Plays a plan to its end. @returns the reported events, the result, and both as lines */
export async function rehearsed(plan: RehearsalPlan) {
  const reported: RehearsalEntry[] = []
  const came = await runApart(plan, (each) => void reported.push(each))
  const lines = [
    ...reported.map((each) => lineOfReported(each, plan.begin)),
    ...linesOfRehearsed(came),
  ]
  return { reported, came, lines, text: lines.join('\n') }
}
