import { operation, read } from '#foundation/operation/declaration'
import { OrganizationsController } from './controllers/organizations_controller.js'
import { OrgEntity } from './entities.js'

const organizations = new OrganizationsController()

export const operations = [
  operation({
    id: 'getOrganization',
    method: 'GET',
    path: '/org/{orgId}',
    tag: 'Organization',
    summary: 'Get organization details',
    description: 'The organization of the key, with the number of its apps and users.',
    access: read,
    answers: {
      200: {
        description: 'The organization.',
        schema: OrgEntity,
        example: {
          id: 'org_4fJq0VbM2wXy7TtZr9Kd',
          name: 'Acme',
          iconUrl: null,
          createdAt: '2026-11-20T09:00:00.000Z',
          roleBasedAccessEnabled: false,
          addNewUsersToAllApps: false,
          appCount: 2,
          userCount: 14,
        },
      },
    },
    handle: (call) => organizations.show(call),
  }),
]
