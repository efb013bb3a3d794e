import { of, select } from '#foundation/core/database/statement'
import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { integrations } from '#integrations/tables'
import { exampleCustomBuild, INSTALLATION } from './examples.js'

const FIND = select(
  of(integrations, 'i', ['id']),
  'from integrations i where i.organization_id = :org and i.id = :id'
)

/**
 * Checks that the integration exists before the uploaded file is read. The handler checks that it
 * belongs to the app.
 * @throws not_found
 */
async function admit(scope: Scope, id: string): Promise<void> {
  const [found] = await scope.rows(FIND, { id })
  if (!found) throw refuse('not_found')
}

export const parameters: Record<string, ParameterDeclaration> = {
  integrationInstallationId: {
    description: 'Id of the integration of the app, as returned by listAppIntegrations.',
    example: INSTALLATION,
    admit,
  },
  integrationId: {
    description: 'Id of the integration of the app; same as `integrationInstallationId`.',
    example: INSTALLATION,
    admit,
  },
  buildId: { description: 'Id of the build.', example: exampleCustomBuild.id },
  filename: { description: 'Name of the file.', example: 'Acme.dSYM.zip' },
}
