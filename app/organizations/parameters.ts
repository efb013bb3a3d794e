import { exampleRule } from './keyless/examples.js'
import { from } from '#foundation/core/database/from'
import { ADA, CI_KEY, ORG, SECURITY_GROUP } from './examples.js'
import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { refuse } from '#foundation/core/problems/problem'

export const parameters: Record<string, ParameterDeclaration> = {
  orgId: {
    description: 'Id of the organization.',
    example: ORG.id,
    own: ({ organization }) => organization.id,
    admit({ organization }, value) {
      if (value !== organization.id) throw refuse('not_found')
    },
    async lock({ client }, value) {
      const row = await from(client, 'organizations')
        .where('id', value)
        .select('id')
        .forUpdate()
        .first()
      return row !== null
    },
  },
  apiKeyId: {
    description: 'Id of the API key: the 12 characters after `tarmac_`.',
    example: CI_KEY.id,
  },
  trustRuleId: { description: 'Id of the trust rule.', example: exampleRule.id },
  userId: { description: 'Id of the user.', example: ADA.id },
  groupId: { description: 'Id of the group.', example: SECURITY_GROUP.id },
}
