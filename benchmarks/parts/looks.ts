import { inTurn, median, report } from '../figures.js'
import { Stand } from '../stand.js'

/** Milliseconds of processor time, the longest in which nobody else was served, and calls to providers. */
interface Look {
  cpu: number
  gap: number
  calls: number
}

/** What looks at the work of a release took. */
export interface Looked {
  /** The first of a process. */
  cold: Look
  /** The first at another app. */
  warm: Look
  /** One after a commit. */
  more: Look
}

const NAMES = { cold: 'fresh process', warm: 'warm', more: 'one commit more' }

/** The processor time of looks at 5,000 commits and 2,000 tickets, each round in a process of its own. */
export async function measureLooks(): Promise<void> {
  const rounds: Looked[] = []
  const one = () =>
    Stand.use('sqlite', async (stand) => {
      rounds.push(await stand.program<Looked>('benchmarks/looking.ts'))
      return 0
    })
  await inTurn({ one })
  const told = (look: keyof Looked) =>
    `${median(rounds.map((round) => round[look].cpu)).toFixed(0)} ms`
  const what = 'first look at 5,000 commits and 2,000 tickets, processor time'
  report(`${what}, fresh process`, told('cold'), 'under 1 s')
  report(`${what}, warm`, told('warm'), 'under 1 s')
  report('calls to the two providers that it takes', String(rounds[0].warm.calls))
  report('look after one commit more, processor time', told('more'))
  for (const look of ['cold', 'warm', 'more'] as const) {
    const gap = median(rounds.map((round) => round[look].gap))
    report(
      `longest time nobody else is served, ${NAMES[look]}`,
      `${gap.toFixed(0)} ms`,
      'under 100 ms'
    )
  }
}
