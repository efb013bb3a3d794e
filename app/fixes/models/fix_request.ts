import { modelOf } from '#foundation/core/database/model_of'
import { fixRequests } from '../tables.js'

export default class FixRequest extends modelOf(fixRequests) {}
