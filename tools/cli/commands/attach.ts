export const command = {summary:'', usage:'attach', run: async () => 1};
