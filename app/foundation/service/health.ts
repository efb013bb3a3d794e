import { BaseCheck, HealthChecks, Result } from '@adonisjs/core/health'
import { DbCheck } from '@adonisjs/lucid/database'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Quota } from '../api/limits/quota.js'

class LimitsCheck extends BaseCheck {
  name = 'store of the limits'

  constructor(private readonly quota: Quota) {
    super()
  }

  async run(): Promise<Result> {
    return (await this.quota.answers()) ? Result.ok('It answers') : Result.failed('It is silent')
  }
}

/** A check that is silent after so many milliseconds has failed: who probes does not wait long. */
const PATIENCE_MS = 3000

class PatientCheck extends BaseCheck {
  constructor(
    private readonly check: BaseCheck,
    private readonly patienceMs: number
  ) {
    super()
    this.name = check.name
  }

  override name: string

  async run(): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<Result>((resolve) => {
      timer = setTimeout(() => resolve(Result.failed('It is silent')), this.patienceMs)
    })
    return Promise.race([this.check.run() as Promise<Result>, silence]).finally(() =>
      clearTimeout(timer)
    )
  }
}

/** The same check, failed when it takes too long. */
export function patiently(check: BaseCheck, patienceMs = PATIENCE_MS): BaseCheck {
  return new PatientCheck(check, patienceMs)
}

/**
 * The checks of what every request needs, bound in the container as `HealthChecks`. Providers
 * append checks of their own, named so that "The <name> does not answer." can be read: that
 * sentence is all that readiness tells.
 */
export function foundationChecks(database: QueryClientContract, quota: Quota): HealthChecks {
  return new HealthChecks().register([
    patiently(new DbCheck(database).as('database')),
    patiently(new LimitsCheck(quota)),
  ])
}

/** The names of what does not answer. */
export async function failingChecks(health: HealthChecks): Promise<string[]> {
  const { checks } = await health.run()
  return checks.flatMap(({ name, status }) => (status === 'error' ? name : []))
}
