import { inTurn, reported } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

/** The cost of reading a release's code and tickets once. */
interface Look {
  /** Milliseconds of processor time. */
  cpu: number
  /** The longest time in which nobody else was served, in milliseconds. */
  gap: number
  /** Calls to providers. */
  calls: number
}

/** The costs of looks at a release's code and tickets, as one process measured them. */
export interface Looked {
  /** The first look of a process. */
  cold: Look
  /** The first look at another app. */
  warm: Look
  /** A look after one more commit. */
  more: Look
}

const STATES = {
  cold: 'first look in a fresh process',
  warm: 'first look in a warm process',
  more: 'look after one commit more',
}

/** Measures looks at 5,000 commits and 2,000 tickets, each round in a process of its own. */
export async function measureLooks(): Promise<Row[]> {
  const rounds: Looked[] = []
  const round = () =>
    Stand.use('sqlite', async (stand) => {
      rounds.push(await stand.program<Looked>('benchmarks/looking.ts'))
      return 0
    })
  await inTurn({ round })
  const cpu = (look: keyof Looked) =>
    reported(
      rounds.map((looked) => looked[look].cpu),
      'ms'
    )
  const what = 'first look at 5,000 commits and 2,000 tickets'
  return [
    { what: `${what}, fresh process, processor time`, service: cpu('cold'), aim: 'under 1 s' },
    { what: `${what}, warm process, processor time`, service: cpu('warm'), aim: 'under 1 s' },
    { what: `${what}, calls to git host and tracker`, service: String(rounds[0].warm.calls) },
    { what: 'look after one commit more, processor time', service: cpu('more') },
    ...(['cold', 'warm', 'more'] as const).map((look) => ({
      what: `longest time in which nobody else is served, ${STATES[look]}`,
      service: reported(
        rounds.map((looked) => looked[look].gap),
        'ms'
      ),
      aim: 'around 100 ms',
    })),
  ]
}
