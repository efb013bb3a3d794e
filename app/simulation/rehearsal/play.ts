import type { ApplicationService } from '@adonisjs/core/types'
import type { VirtualClock } from '#foundation/core/clock'
import { DAY, HOUR, WEEK } from '#foundation/core/durations'
import { dice } from '#simulated-providers/chance'
import type { World } from '../world/world.js'
import { audit } from './audit.js'
import { Chronicle } from './chronicle.js'
import { DeveloperTeam } from './developer_team.js'
import { Measurements } from './measurements.js'
import type { Rehearsed, RehearsalPlan, RehearsalEntry } from './plan.js'
import { playOn } from './play_on.js'
import { setUp, type Stage } from './set_up.js'
import { storyOf } from './story.js'
import { Team } from './team.js'
import { WorkInTurn } from './work_in_turn.js'

/** Maximum time between polls of providers, for changes that `shownAt` misses. */
const MAX_POLL_INTERVAL = 12 * HOUR

/**
 * Plays days of an app on a virtual clock, which moves from one event to the next: a planned job,
 * an action of a person, or a change in the simulated world.
 * @param reported called with every event as it happens
 */
export async function play(
  app: ApplicationService,
  plan: RehearsalPlan,
  { home, reported }: { home: string; reported: (each: RehearsalEntry) => void }
): Promise<Rehearsed> {
  const clock = (await app.container.make('clock')) as VirtualClock
  const stage = await setUp(app, plan, home)
  const { service, world, seed } = stage
  const chronicle = new Chronicle(service, plan.endpoints, reported)
  const team = new Team({ ...stage, developers: world }, (kind, text) =>
    chronicle.note(clock.now(), kind, text)
  )
  await playOn(stage, plan, (text) => chronicle.note(clock.now(), 'refused', text))
  const work = await WorkInTurn.of(app, dice(seed))
  const measurements = await Measurements.of(service, stage)
  const train = new Train(stage, plan.version)
  const developerTeam = developerTeamOf(stage, train, (text) =>
    chronicle.note(clock.now(), 'did', text)
  )
  const end = Date.parse(plan.begin) + plan.days * DAY
  let shown = ''
  let pollAt = 0
  while (clock.milliseconds() < end) {
    await world.read()
    await measurements.send()
    const done = await work.handle(false)
    if (done > 0) {
      await world.read()
      await world.followGit()
    }
    const now = world.shownAt(clock.milliseconds())
    if (now !== shown || clock.milliseconds() >= pollAt) {
      await service.write((scope) => scope.jobs.pollNow())
      await work.handle(true)
      await world.read()
      shown = world.shownAt(clock.milliseconds())
      pollAt = clock.milliseconds() + MAX_POLL_INTERVAL
    }
    const codeChanges = (await developerTeam?.act(clock.milliseconds())) ?? 0
    const acted = codeChanges + (await train.draft()) + (await team.act(clock.milliseconds()))
    if (acted > 0) await world.read()
    await chronicle.report(world.now)
    await world.trimMessages()
    // An action may have made more work due.
    if (acted > 0) continue
    const people = [team.nextAt ?? Infinity, developerTeam?.nextAt ?? Infinity, train.nextAt]
    const limit = Math.min(end, pollAt, await nextPlannedTime(work), ...people)
    await advanceClock(clock, work, world.changesAt(clock.milliseconds(), limit))
  }
  return resultOf(app, { stage, plan, chronicle, team, clock })
}

/** Returns the time of the next planned work, in milliseconds. */
async function nextPlannedTime(work: WorkInTurn): Promise<number> {
  const at = await work.nextAt()
  return at === null ? Infinity : Date.parse(at)
}

/**
 * Advances the clock until something happens. On the way, it retries failed polls and lets guards
 * measure at their own times; it stops there only if that has an effect.
 */
async function advanceClock(clock: VirtualClock, work: WorkInTurn, next: number): Promise<void> {
  for (;;) {
    const until = Math.min(next, await nextPlannedTime(work))
    const timedAt = await work.timedAt()
    const timed = timedAt === null ? Infinity : Date.parse(timedAt)
    const to = Math.max(Math.min(timed, until), clock.milliseconds() + 1000)
    clock.travelTo(new Date(to).toISOString())
    if (timed > until || (await work.handleTimed()) > 0 || clock.milliseconds() >= until) return
  }
}

/** Drafts releases for an app without a cadence: at most weekly, each after the last one ended. */
class Train {
  #last: string | null = null
  #draftedAt = -Infinity

  constructor(
    private readonly stage: Stage,
    private readonly version: string
  ) {}

  /** Time at which the next release may be drafted, in milliseconds. */
  get nextAt(): number {
    const at = this.#draftedAt + WEEK
    return at > this.stage.service.clock.milliseconds() ? at : Infinity
  }

  async draft(): Promise<number> {
    const { service, appId } = this.stage
    const now = service.clock.milliseconds()
    if (now < this.#draftedAt + WEEK || (await this.#isUnderWay())) return 0
    this.#last = this.#last === null ? this.version : nextMinor(this.#last)
    this.#draftedAt = now
    await service.ask('createRelease', { params: { appId }, body: { version: this.#last } })
    return 1
  }

  /** Returns the version that will contain code merged now. */
  async nextVersion(): Promise<string | null> {
    const { service, appId } = this.stage
    for (const status of ['active', 'upcoming']) {
      const { data } = await service.ask('listReleases', { params: { appId }, query: { status } })
      const next = data.find(({ phase }: { phase: string }) => phase === 'upcoming')
      if (next) return next.version
    }
    return this.#last === null ? this.version : nextMinor(this.#last)
  }

  async #isUnderWay(): Promise<boolean> {
    const { service, appId } = this.stage
    const params = { appId }
    const cadence = await service.ask('getScheduleCadence', { params })
    if (cadence?.enabled === true) return true
    for (const status of ['active', 'upcoming']) {
      const { data } = await service.ask('listReleases', { params, query: { status } })
      if (data.length > 0) return true
    }
    return false
  }
}

function nextMinor(version: string): string {
  const [major, minor = '0'] = version.split('.')
  return `${major}.${Number(minor) + 1}.0`
}

/** Returns the developers of the app; null if it has no version control. */
function developerTeamOf(
  stage: Stage,
  train: Train,
  reported: (text: string) => void
): DeveloperTeam | null {
  const { world, people, seed, service, substitution } = stage
  const room = world.codeRoom()
  if (!room) return null
  const context = {
    ...{ room, people, seed, reported },
    project: substitution.expected.projects[0] ?? null,
    read: () => world.now,
    change: (work: (before: World) => World) => world.change(work),
    nextVersion: () => train.nextVersion(),
  }
  return new DeveloperTeam(context, service.clock.milliseconds())
}

async function resultOf(
  app: ApplicationService,
  {
    stage,
    plan,
    chronicle,
    team,
    clock,
  }: {
    stage: Stage
    plan: RehearsalPlan
    chronicle: Chronicle
    team: Team
    clock: VirtualClock
  }
): Promise<Rehearsed> {
  const { service, appId, substitution, seed, scenario } = stage
  await (await app.container.make('integrations.log')).flush()
  const { data } = await service.ask('listReleases', { params: { appId } })
  const releases = data.flatMap(({ version, status, phase }: Record<string, string>) =>
    version === plan.after ? [] : [{ version, status, phase }]
  )
  return {
    seed,
    scenario,
    begin: plan.begin,
    end: clock.now(),
    standIns: substitution.standIns.map(({ integration, type, standIn }) => ({
      ...{ integration, type, standIn },
    })),
    releases: releases.reverse(),
    waited: team.waits.close(clock.milliseconds()).filter(({ hours }) => hours > 0),
    sent: chronicle.sent(),
    asked: await chronicle.asked(),
    happened: chronicle.happened,
    story: await storyOf(service, appId, clock.now()),
    audit: await audit(service.read(), clock.now()),
  }
}
