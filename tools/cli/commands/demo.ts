export const command = {summary:'', usage:'demo', run: async () => 1};
