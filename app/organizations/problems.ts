import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { described, id, list, nonEmpty, object, text } from '#foundation/core/schemas'
import { UserGroupsForUsersSummary } from './entities.js'

export const problems = {
  last_admin: [
    409,
    'Nobody else is an admin',
    'Make another person or key an admin first; a person counts only after signing in.',
  ],
  token_refused: [
    401,
    'No key was issued for the token',
    'Create a rule that trusts the workflow, and request a token in each run.',
  ],
  issuer_unreachable: [
    503,
    'The issuer does not publish its keys',
    'Try again in a minute; if that does not help, an admin checks the rule.',
  ],
  too_many_trust_rules: [409, 'Too many trust rules', 'Delete some.'],
  default_group: [409, 'A default group cannot change', 'Create a custom group instead.'],
} as const satisfies ProblemDeclarations

export const problemMembers = {
  users: Type.Optional(
    list(
      'For `all_items_failed` of users: each with its error.',
      object('A user who was not changed.', {
        email: text('E-mail address as given in the request.', 320),
        userId: Type.Optional(id('Id of the user; absent if the address is unknown.')),
        error: text('Human-readable reason why the user was not changed.', 1000),
        code: nonEmpty('Stable code of the error.', 64),
      }),
      500
    )
  ),
  summary: Type.Optional(
    described('For `all_items_failed` of users: how many failed.', UserGroupsForUsersSummary)
  ),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    organizations: typeof problems
  }
}
