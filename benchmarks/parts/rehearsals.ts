import { readFileSync } from 'node:fs'
import { NO_RELEASES, USUAL_BEGIN, type RehearsalPlan } from '#simulation/rehearsal/plan'
import { planOfFile } from '#simulation/rehearsal/plan_of_file'
import { runApart } from '#simulation/rehearsal/run_apart'
import { scenarioFile } from '#simulation/scenarios/box'
import { fixed, inTurn, reported } from '../figures.js'
import type { Row } from '../part.js'

const FEW = 1
const MANY = 31
const YEAR = 365

/** An app with a provider of every kind, released every week. */
async function planOf(days: number): Promise<RehearsalPlan> {
  const file = new URL('../../docs/examples/rehearsal.yml', import.meta.url)
  return {
    ...planOfFile(readFileSync(file, 'utf8')),
    scenario: String(await scenarioFile('happy-train')),
    seed: null,
    begin: USUAL_BEGIN,
    days,
    version: '1.0.0',
    hasRepository: false,
    ...NO_RELEASES,
  }
}

/** Milliseconds of processor time of a rehearsal of so many days. */
async function cpuOf(days: number): Promise<number> {
  let cpuMs = 0
  await runApart(await planOf(days), () => {}, { spent: (spent) => void (cpuMs = spent) })
  return cpuMs
}

/** Measures a simulated day without the start, and a year. */
export async function measureRehearsals(): Promise<Row[]> {
  const figures = await inTurn({ few: () => cpuOf(FEW), many: () => cpuOf(MANY) })
  const days = figures.many.map((many, round) => (many - figures.few[round]) / (MANY - FEW))
  const began = performance.now()
  await cpuOf(YEAR)
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: 'rehearsal: processor time of a simulated day with a provider of every kind',
      service: reported(days, 'ms'),
      aim: 'under 200 ms',
    },
    {
      what: 'rehearsal: a simulated year, start and all, by the clock',
      service: `${fixed(seconds)} s`,
      aim: 'under 60 s',
    },
  ]
}
