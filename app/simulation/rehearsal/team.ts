import { DAY } from '#foundation/core/durations'
import { chance } from '#simulated-providers/chance'
import {
  complete,
  DEEDS,
  submitIncomplete,
  type About,
  type Deeds,
  type Person,
  type RehearsedRelease,
} from './deeds.js'
import { refusalOf } from './refusal_of.js'
import {
  isForPeople,
  reasonsOf,
  WaitingList,
  type Reason,
  type ReportedReasons,
} from './waiting.js'
import { doneAt } from './working_hours.js'

/** Milliseconds until people try again what they were refused. */
const AGAIN = 4 * 3_600_000

/** Number of attempts before people give up. */
const MOST_TRIES = 12

interface Task {
  dueAt: number
  tries: number
}

/** The reason of a release without anything left to do. */
const OVER = 'over'

/** The people of a rehearsal: they do what releases wait for, when they get to it. */
export class Team {
  readonly waiting = new WaitingList()
  readonly #tasks = new Map<string, Task>()
  /** Tasks that nobody can do, as the app has no provider for them. */
  readonly #inVain = new Set<string>()

  /** @param refused called for each action that people were not allowed */
  constructor(
    private readonly deeds: Deeds,
    private readonly reported: (kind: 'did' | 'refused', text: string) => void
  ) {}

  /** Time of the next action of anybody, in milliseconds; null if nobody is waited for. */
  get nextAt(): number | null {
    const times = [...this.#tasks.values()].map(({ dueAt }) => dueAt)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Looks what releases wait for, and does what is due. @returns how much was done */
  async act(now: number): Promise<number> {
    const kept = new Set<string>()
    let done = 0
    const releases = await this.#releases()
    const versions = releases.map(({ version }) => version)
    this.waiting.keep(versions, now)
    for (const release of releases) {
      const { appId, service } = this.deeds
      const params = { appId, releaseId: release.id }
      const reported: ReportedReasons = await service.ask('whyNotMoving', { params })
      const reasons = reasonsOf(reported)
      this.waiting.take(release.version, reasons, now)
      for (const reason of this.#tasksOf(release, reasons, now)) {
        const key = keyOf(release, reason.isLeftOut ? `without ${reason.key}` : reason.key)
        const task = this.#tasks.get(key) ?? this.#begun(key, reason, reported, now)
        if (!task) continue
        kept.add(key)
        this.#tasks.set(key, task)
        if (task.dueAt > now) continue
        await this.#do({ release, reason, next: reported.next }, task, now)
        done++
      }
    }
    for (const key of this.#tasks.keys()) if (!kept.has(key)) this.#tasks.delete(key)
    return done
  }

  async #releases(): Promise<RehearsedRelease[]> {
    const { appId, service } = this.deeds
    const list = async (status: string) =>
      (await service.ask('listReleases', { params: { appId }, query: { status } })).data
    const active: RehearsedRelease[] = await list('active')
    const upcoming: RehearsedRelease[] = await list('upcoming')
    return [...active, ...upcoming].sort((one, other) => (one.version < other.version ? -1 : 1))
  }

  /** Returns the tasks of people; if nobody can do any of them, people go on without. */
  #tasksOf(release: RehearsedRelease, reasons: readonly Reason[], now: number): Reason[] {
    if (reasons.length === 0) {
      const condition = { code: OVER as never, message: 'Nothing is left to do.', who: [] }
      return release.status === 'active' ? [{ key: OVER, step: null, condition }] : []
    }
    const isHeld = reasons.some(({ condition: { code } }) => code === 'train_held')
    if (isHeld) return isTrainDue(release, now) ? reasons.filter(isKickoff) : []
    const open = reasons.filter(({ condition }) => isForPeople(condition))
    const known = open.filter(
      ({ key, condition: { code } }) =>
        DEEDS[code] !== undefined && !this.#inVain.has(keyOf(release, key))
    )
    const isStuck =
      known.length === 0 && open.length === reasons.length && release.status === 'active'
    return isStuck ? open.slice(0, 1).map((each) => ({ ...each, isLeftOut: true })) : known
  }

  /** Returns when people begin; null for what the service does by itself. */
  #begun(key: string, reason: Reason, reported: ReportedReasons, now: number): Task | null {
    const { condition, isLeftOut } = reason
    // People look at rollouts whoever moves them.
    const isWatched = condition.code === 'rolling_out'
    if (!isWatched && condition.who.some(({ type }) => type === 'service')) return null
    const known = isLeftOut ? undefined : DEEDS[condition.code]
    const patience = known || condition.code === (OVER as never) ? (known?.patience ?? 0) : DAY
    const target = reported.next.find(({ what }) => what === TARGET_OF[condition.code])
    const from = Math.max(now + patience, target ? Date.parse(target.at) : 0)
    return { dueAt: doneAt(this.deeds.seed, from, key), tries: 0 }
  }

  async #do(what: Omit<About, 'by' | 'before'>, task: Task, now: number): Promise<void> {
    const { release, reason } = what
    const { code } = reason.condition
    const by = this.#somebody(`${release.version} ${reason.key} ${task.tries}`)
    const known = reason.isLeftOut ? undefined : DEEDS[code]?.deed
    const deed = known ?? (code === (OVER as never) ? complete : submitIncomplete)
    const about = { ...what, by, before: task.tries }
    try {
      const did = await deed(this.deeds, about)
      if (did) this.reported('did', `${by.actor.name} ${did}`)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.code === 'integration_missing') {
        this.#inVain.add(keyOf(release, reason.key))
      }
      const why = refusal.message
      const where = `${release.version}: ${reason.condition.message}`
      this.reported('refused', `${by.actor.name} could not help (${where}): ${why}`)
    }
    task.tries++
    task.dueAt =
      task.tries < MOST_TRIES
        ? doneAt(this.deeds.seed, now + AGAIN, `${reason.key} ${task.tries}`)
        : Infinity
  }

  #somebody(what: string): Person {
    const { people, seed } = this.deeds
    return people[Math.floor(chance(seed, 'who does it', what) * people.length)]
  }
}

const keyOf = ({ version }: RehearsedRelease, key: string) => `${version} ${key}`

const isKickoff = ({ condition: { code } }: Reason) => code === 'not_kicked_off'

/** People do not let a train wait for the one before, which may roll out for longer than a week. */
const isTrainDue = ({ targetKickoffAt: at }: RehearsedRelease, now: number) =>
  at !== null && Date.parse(at) <= now

/** Target dates before which people do not act. */
const TARGET_OF: Readonly<Record<string, string>> = {
  not_kicked_off: 'targetKickoff',
  not_submitted: 'targetSubmit',
  not_released: 'targetRelease',
  release_pending: 'targetRelease',
}
