import server from '@adonisjs/core/services/server'
import { useInputMessages } from '#foundation/operation/messages'

useInputMessages()
server.errorHandler(() => import('#foundation/http/exception_handler'))
