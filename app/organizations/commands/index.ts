import { KeyCreate } from './key_create.js'
import { KeyList } from './key_list.js'
import { KeyRevoke } from './key_revoke.js'
import { KeyRotate } from './key_rotate.js'
import { OrgCreate } from './org_create.js'
import { OrgList } from './org_list.js'
import { OrgUpdate } from './org_update.js'
import { UserCreate } from './user_create.js'
import { UserUpdate } from './user_update.js'

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
