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

/**
 * The checks of what every request needs, bound in the container as `HealthChecks`. Providers
 * append checks of their own, named so that "The <name> does not answer." can be read: that
 * sentence is all that readiness tells.
 */
export function foundationChecks(database: QueryClientContract, quota: Quota): HealthChecks {
  return new HealthChecks().register([new DbCheck(database).as('database'), new LimitsCheck(quota)])
}

/** The names of what does not answer. */
export async function failingChecks(health: HealthChecks): Promise<string[]> {
  const { checks } = await health.run()
  return checks.flatMap(({ name, status }) => (status === 'error' ? name : []))
}

/** What one check found. */
export interface HealthFinding {
  name: string
  status: 'ok' | 'warning' | 'error'
  message: string
}

/** Every check; what an error says may name hosts, and stays out. */
export async function healthReport(
  health: HealthChecks
): Promise<{ status: HealthFinding['status']; checks: HealthFinding[] }> {
  const { status, checks } = await health.run()
  return {
    status,
    checks: checks.map((check) => ({
      name: check.name,
      status: check.status,
      message: check.status === 'error' ? 'It does not answer.' : check.message,
    })),
  }
}
