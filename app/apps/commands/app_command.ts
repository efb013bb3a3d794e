import { UsageError } from '#foundation/console/usage_error'
import type { Principal } from '#foundation/core/principal'
import { TenantCommand } from '#organizations/commands/tenant_command'

/** A command about an app, or about something in one. */
export abstract class AppCommand extends TenantCommand {
  /**
   * Returns the console principal of the app's organization.
   * @throws UsageError when there is no such app
   */
  protected async ofApp(appId: string): Promise<Principal> {
    const principal = await this.principalOwning('apps', appId)
    if (!principal) throw new UsageError(`There is no app "${appId}".`)
    return principal
  }
}
