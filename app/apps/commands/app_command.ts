import { Mistake } from '#foundation/console/mistake'
import type { Principal } from '#foundation/core/principal'
import { TenantCommand } from '#organizations/commands/tenant_command'

/** A command about an app, or something in one. */
export abstract class AppCommand extends TenantCommand {
  /** The console in the organization of an app. @throws Mistake when there is no such app */
  protected async ofApp(appId: string): Promise<Principal> {
    const principal = await this.principalOwning('apps', appId)
    if (!principal) throw new Mistake(`There is no app "${appId}".`)
    return principal
  }
}
