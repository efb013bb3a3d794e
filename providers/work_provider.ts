import type { ApplicationService } from '@adonisjs/core/types'
import type { Listener } from '#foundation/core/database/listener'
import type { BackgroundWork } from '#foundation/jobs/services'

/**
 * Background work: webhook deliveries and the job queue. The server does it by default; with
 * `WORK_IN_SERVER=false`, a separate process does.
 */
export default class WorkProvider {
  #isStarted = false

  constructor(protected app: ApplicationService) {}

  register() {
    const { container } = this.app
    container.singleton('presence', async (resolver) => {
      const { dialect } = await import('#config/database')
      const { processName } = await import('#start/process_name')
      const database = await resolver.make('lucid.db')
      const clock = await resolver.make('clock')
      if (dialect === 'sqlite') {
        const { SolePresence } = await import('#start/sole_presence')
        return new SolePresence(processName, database, clock)
      }
      const { default: env } = await import('#start/env')
      const { PostgresBeats } = await import('#foundation/core/processes/postgres_beats')
      const { SharedPresence } = await import('#foundation/core/processes/shared_presence')
      const { TakeOver } = await import('#foundation/core/processes/take_over')
      const logger = await resolver.make('logger')
      const emitter = await resolver.make('emitter')
      const wake = () => {
        void emitter.emit('jobs:due', undefined)
        void emitter.emit('webhooks:due', undefined)
      }
      return new SharedPresence(processName, {
        beats: new PostgresBeats(env.get('DATABASE_URL')!),
        takeOver: new TakeOver({ database, clock, logger, wake }),
        logger,
      })
    })
    container.singleton('jobs.worker', async (resolver) => {
      const { makeWorker } = await import('#foundation/jobs/make_worker')
      const { works } = await import('#foundation/jobs/handlers')
      const { tenants } = await import('#organizations/queries/find_tenants')
      return makeWorker({
        database: await resolver.make('lucid.db'),
        selects: await resolver.make('selects'),
        unitOfWork: await resolver.make('unitOfWork'),
        tenants,
        works,
        clock: await resolver.make('clock'),
        random: Math.random,
        logger: await resolver.make('logger'),
        presence: await resolver.make('presence'),
      })
    })
    container.singleton('work', (): BackgroundWork => ({ start: () => this.#start() }))
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode?.() === 'warmup') return
    const { default: env } = await import('#start/env')
    if (!(env.get('WORK_IN_SERVER') ?? true)) return
    await this.#start()
  }

  /** Ends the work of a process without a server; a server has run the endings already. */
  async shutdown() {
    if (!this.#isStarted) return
    const { endInAnyCase, graceMs } = await import('#start/grace')
    endInAnyCase()
    const endings = await this.app.container.make('endings')
    await endings.run(graceMs())
  }

  async #start(): Promise<void> {
    const dispatcher = await this.app.container.make('webhooks.dispatcher')
    const worker = await this.app.container.make('jobs.worker')
    const presence = await this.app.container.make('presence')
    const emitter = await this.app.container.make('emitter')
    const deliver = () => dispatcher.wake()
    const work = () => worker.wake()
    const unsubscribes = [
      emitter.on('events:committed', deliver),
      emitter.on('webhooks:due', deliver),
      emitter.on('jobs:due', work),
    ]
    const listener = await this.#listen(deliver, work)
    await presence.start()
    dispatcher.start()
    worker.start()
    const endings = await this.app.container.make('endings')
    endings.add(async (graceMs) => {
      unsubscribes.forEach((off) => off())
      await Promise.all([listener?.stop(), dispatcher.stop(graceMs), worker.stop(graceMs)])
      // Comes last, and hands back claims that the workers could not finish.
      await presence.stop()
    })
    this.#isStarted = true
  }

  async #listen(deliver: () => void, work: () => void): Promise<Listener | null> {
    const { default: env } = await import('#start/env')
    const url = env.get('DATABASE_URL')
    if (!url) return null
    const { Listener } = await import('#foundation/core/database/listener')
    const { EVENTS_CHANNEL } = await import('#foundation/core/events/event_statements')
    const { JOBS_CHANNEL } = await import('#foundation/core/jobs/job_queue')
    const logger = await this.app.container.make('logger')
    const listener = new Listener(url, { [EVENTS_CHANNEL]: deliver, [JOBS_CHANNEL]: work }, logger)
    await listener.start()
    return listener
  }
}
