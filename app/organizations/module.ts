import type { Module } from '#foundation/api/module'
import { KeyCreate } from './commands/key_create.js'
import { KeyList } from './commands/key_list.js'
import { KeyRevoke } from './commands/key_revoke.js'
import { KeyRotate } from './commands/key_rotate.js'
import { OrgCreate } from './commands/org_create.js'
import { OrgList } from './commands/org_list.js'
import { OrgUpdate } from './commands/org_update.js'
import { UserCreate } from './commands/user_create.js'
import { UserUpdate } from './commands/user_update.js'
import { parameters } from './parameters.js'
import { problems, problemMembers } from './problems.js'
import { operations } from './routes.js'

/** Organizations, their people, groups and keys. */
export const organizations: Module = {
  name: 'organizations',
  operations,
  problems,
  problemMembers,
  parameters,
  tags: { Organization: 'The organization, its apps and its groups.' },
  commands: [
    OrgCreate,
    OrgList,
    OrgUpdate,
    UserCreate,
    UserUpdate,
    KeyCreate,
    KeyList,
    KeyRotate,
    KeyRevoke,
  ],
}
