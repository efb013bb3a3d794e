import type { Rollout, State, Truth } from './vocabulary.js'

/** A version as a capability of the port answers it. */
export interface ShownVersion {
  id: string
  version: string
  buildNumbers: string[]
  track?: string
  status: Shown<State>
  review?: Shown<Truth['review']>
  submissionId?: string
  release: { method: 'manual' | 'auto' | 'scheduled'; at?: string }
  rollout?: Omit<Rollout, 'startedAt'> & { startedAt?: string }
  waitsForSending?: boolean
}

interface Shown<Value> {
  state: Value
  raw: string
  beganAt: string
  observedAt: string
  lagSeconds: number
}

/** The origin of a view: a read, or the answer to a call; instants as in the product. */
export interface Reading {
  beganAt: string
  observedAt: string
  lagSeconds: number
}

const texts = new Map<number, string>()
/** Texts of instants that are kept, since one instant is shown many times. */
const MAX_TEXTS = 500

/** Writes an instant as the product does. */
export function instant(at: number): string {
  let text = texts.get(at)
  if (text === undefined) {
    text = new Date(at).toISOString()
    if (texts.size >= MAX_TEXTS) texts.clear()
    texts.set(at, text)
  }
  return text
}

export const versionId = (version: string, track: string) => `${track}/${version}`

/** Shows a version as a read finds it. */
export function shown(truth: Truth, reading: Reading): ShownVersion {
  const { version, track, release, rollout } = truth
  return {
    id: versionId(version, track),
    version,
    buildNumbers: [truth.build],
    ...(track === 'app' ? {} : { track }),
    status: { state: truth.state, raw: truth.raw, ...reading },
    ...(track === 'app' ? {} : { review: { state: truth.review, raw: truth.review, ...reading } }),
    ...(truth.submission > 0 ? { submissionId: `${version}#${truth.submission}` } : {}),
    release:
      typeof release === 'string' ? { method: release } : { method: 'scheduled', at: release.at },
    ...(rollout ? { rollout: shownRollout(rollout) } : {}),
    ...(truth.waitsForSending ? { waitsForSending: true } : {}),
  }
}

function shownRollout({ startedAt, ...rollout }: Rollout): ShownVersion['rollout'] {
  return startedAt === undefined ? rollout : { ...rollout, startedAt: instant(startedAt) }
}
