import { keylessOperations } from './keyless/routes.js'
import { keyOperations } from './routes/keys.js'
import { organizationOperations } from './routes/organization.js'
import { userOperations } from './routes/users.js'

export const operations = [
  ...organizationOperations,
  ...keyOperations,
  ...keylessOperations,
  ...userOperations,
]
