import { deliveryOperations } from '#webhooks/routes/deliveries'
import { endpointOperations } from '#webhooks/routes/endpoints'
import { eventOperations } from '#webhooks/routes/events'

export const operations = [...endpointOperations, ...deliveryOperations, ...eventOperations]
