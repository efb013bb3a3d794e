import { APP, ICON_FILE, STEP_CONFIGS } from './examples.js'
import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import { apps } from './tables.js'

const FIND_APP = select(
  of(apps, 'a', ['id']),
  'from apps a where a.organization_id = :org and a.id = :appId'
)

export const parameters: Record<string, ParameterDeclaration> = {
  appId: {
    description: 'Id (slug) of the app.',
    example: APP.id,
    /**
     * An app outside the key's scope looks like a missing one to a read. A write names the reason.
     */
    async admit(scope, appId, isWrite) {
      const [app] = await scope.rows(FIND_APP, { appId })
      if (!app) throw refuse('not_found')
      if (scope.sees(appId)) return
      if (!isWrite) throw refuse('not_found')
      throw refuse('app_scope_missing', {
        detail: 'The app scopes of the key do not include this app.',
      })
    },
    lock: (scope, appId) => scope.lock('apps', appId),
  },
  stepConfigId: {
    description: 'Id of the step in the workflow of the app.',
    example: STEP_CONFIGS.regressionTesting,
  },
  stepType: { description: 'Type of the step.', example: 'metadata' },
  fileName: { description: 'Name of the file.', example: ICON_FILE },
}
