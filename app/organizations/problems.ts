import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { here, list } from '#foundation/core/schemas'
import { UserGroupsForUserPutResponse, UserGroupsForUsersSummary } from './entities.js'

export const problems = {
  default_group: [409, 'A default group cannot change', 'Make a custom group instead.'],
} as const satisfies ProblemDeclarations

export const problemMembers = {
  users: Type.Optional(
    list(
      'With `all_items_failed` of users: each with its error, as the answer has them.',
      UserGroupsForUserPutResponse,
      10_000
    )
  ),
  summary: Type.Optional(
    here('With `all_items_failed` of users: how many failed.', UserGroupsForUsersSummary)
  ),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    organizations: typeof problems
  }
}
