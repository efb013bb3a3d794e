import type { ApplicationService } from '@adonisjs/core/types'

/** Brings the database up to date before the service answers, and greets at the very first start. */
export default class FirstStartProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode?.() === 'warmup') return
    const { migrate } = await import('#start/migrate')
    await migrate(this.app)
  }

  /** After the service listens: a key that is shown once must not be spent on a failed start. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') return
    const { greet } = await import('#start/first_start')
    await greet(this.app)
  }
}
