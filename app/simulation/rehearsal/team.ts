import { compareTexts } from '../../foundation/core/compare_texts.js'
import { DAY, HOUR } from '#foundation/core/durations'
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
import { WaitLog } from './wait_log.js'
import { isForPeople, reasonsOf, type Reason, type ReportedReasons } from './wait_reasons.js'
import { doneAt } from './working_hours.js'

/** Time until people retry a refused action, in milliseconds. */
const AGAIN = 4 * HOUR

/** Number of attempts before people give up. */
const MAX_TRIES = 12

interface Task {
  dueAt: number
  tries: number
}

/** The reason of an active release that only has to be completed. */
const OVER = 'over'

/** The people of a rehearsal: they act on what releases wait for, in their working hours. */
export class Team {
  readonly waits = new WaitLog()
  readonly #tasks = new Map<string, Task>()
  /** Tasks that are impossible, because the app has no provider for them. */
  readonly #impossible = new Set<string>()

  /** @param reported called for refused actions, and for those that timelines do not show */
  constructor(
    private readonly actions: Deeds,
    private readonly reported: (kind: 'did' | 'refused', text: string) => void
  ) {}

  /** Time of the next task, in milliseconds; null if there is none. */
  get nextAt(): number | null {
    const times = [...this.#tasks.values()].map(({ dueAt }) => dueAt)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Reads what releases wait for, and performs the due tasks. @returns their number */
  async act(now: number): Promise<number> {
    const kept = new Set<string>()
    let done = 0
    const releases = await this.#releases()
    const versions = releases.map(({ version }) => version)
    this.waits.endExcept(versions, now)
    for (const release of releases) {
      const { appId, service } = this.actions
      const params = { appId, releaseId: release.id }
      const reported: ReportedReasons = await service.ask('whyNotMoving', { params })
      const reasons = reasonsOf(reported)
      this.waits.record(release.version, reasons, now)
      for (const reason of this.#tasksOf(release, reasons, now)) {
        const key = keyOf(release, reason.isWaived ? `without ${reason.key}` : reason.key)
        const task = this.#tasks.get(key) ?? this.#newTask(key, reason, reported, now)
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
    const { appId, service } = this.actions
    const list = async (status: string) =>
      (await service.ask('listReleases', { params: { appId }, query: { status } })).data
    const active: RehearsedRelease[] = await list('active')
    const upcoming: RehearsedRelease[] = await list('upcoming')
    return [...active, ...upcoming].sort((one, other) => compareTexts(one.version, other.version))
  }

  /**
   * Returns the tasks of people; if none can be done, one that continues without the missing
   * condition.
   */
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
        DEEDS[code] !== undefined && !this.#impossible.has(keyOf(release, key))
    )
    const isStuck =
      known.length === 0 && open.length === reasons.length && release.status === 'active'
    return isStuck ? open.slice(0, 1).map((each) => ({ ...each, isWaived: true })) : known
  }

  /** Creates the task for a reason; null if the service acts by itself. */
  #newTask(key: string, reason: Reason, reported: ReportedReasons, now: number): Task | null {
    const { condition, isWaived } = reason
    // People watch a rollout even if the service moves it.
    const isWatched = condition.code === 'rolling_out'
    if (!isWatched && condition.who.some(({ type }) => type === 'service')) return null
    const known = isWaived ? undefined : DEEDS[condition.code]
    const patience = known || condition.code === (OVER as never) ? (known?.patience ?? 0) : DAY
    const target = reported.next.find(({ what }) => what === TARGET_OF[condition.code])
    const from = Math.max(now + patience, target ? Date.parse(target.at) : 0)
    return { dueAt: doneAt(this.actions.seed, from, key), tries: 0 }
  }

  async #do(what: Omit<About, 'by' | 'before'>, task: Task, now: number): Promise<void> {
    const { release, reason } = what
    const { code } = reason.condition
    const by = this.#chosenPerson(`${release.version} ${reason.key} ${task.tries}`)
    const known = reason.isWaived ? undefined : DEEDS[code]?.deed
    const action = known ?? (code === (OVER as never) ? complete : submitIncomplete)
    const about = { ...what, by, before: task.tries }
    try {
      const did = await action(this.actions, about)
      if (did) this.reported('did', `${by.actor.name} ${did}`)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.code === 'integration_missing') {
        this.#impossible.add(keyOf(release, reason.key))
      }
      const why = refusal.message
      const where = `${release.version}: ${reason.condition.message}`
      this.reported('refused', `${by.actor.name} could not help (${where}): ${why}`)
    }
    task.tries++
    task.dueAt =
      task.tries < MAX_TRIES
        ? doneAt(this.actions.seed, now + AGAIN, `${reason.key} ${task.tries}`)
        : Infinity
  }

  #chosenPerson(what: string): Person {
    const { people, seed } = this.actions
    return people[Math.floor(chance(seed, 'who does it', what) * people.length)]
  }
}

const keyOf = ({ version }: RehearsedRelease, key: string) => `${version} ${key}`

const isKickoff = ({ condition: { code } }: Reason) => code === 'not_kicked_off'

/**
 * People do not let a train wait for the previous one, whose rollout may take longer than a week.
 */
const isTrainDue = ({ targetKickoffAt: at }: RehearsedRelease, now: number) =>
  at !== null && Date.parse(at) <= now

/** Target dates before which people do not act. */
const TARGET_OF: Readonly<Record<string, string>> = {
  not_kicked_off: 'targetKickoff',
  not_submitted: 'targetSubmit',
  not_released: 'targetRelease',
  release_pending: 'targetRelease',
}
