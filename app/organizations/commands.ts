import { OrgCreate } from './commands/org_create.js'
import { OrgList } from './commands/org_list.js'
import { OrgUpdate } from './commands/org_update.js'
import { UserCreate } from './commands/user_create.js'
import { UserUpdate } from './commands/user_update.js'
import { KeyCreate } from './commands/key_create.js'
import { KeyList } from './commands/key_list.js'
import { KeyRotate } from './commands/key_rotate.js'
import { KeyRevoke } from './commands/key_revoke.js'

/** The console commands of the module. */
export const commands = [
  OrgCreate,
  OrgList,
  OrgUpdate,
  UserCreate,
  UserUpdate,
  KeyCreate,
  KeyList,
  KeyRotate,
  KeyRevoke,
]
