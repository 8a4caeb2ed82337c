export const command = {summary:'', usage:'test', run: async () => 1};
